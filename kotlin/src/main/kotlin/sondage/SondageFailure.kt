package sondage

import java.time.Duration

/**
 * What every [SondageException] tells. Its [message] reads like advice: what happened, whether anything was changed, what
 * to do next.
 */
public abstract class SondageFailure internal constructor(internal val details: ErrorDetails) : Exception() {
    override val message: String get() = details.message

    /** What to do next. */
    public val hint: String get() = details.hint

    /** The API's name of the operation. */
    public val operation: String? get() = details.operation

    /** The number of attempts. 0 if the request was never sent. */
    public val attempts: Int get() = details.attempts

    /** The HTTP status of the last response. */
    public val status: Int? get() = details.status

    /** The service's own word for what is wrong. */
    public val errorCode: String? get() = details.errorCode

    /** The service's own sentence. */
    public val errorMessage: String? get() = details.errorMessage

    /** The request id, by which the service may find the request in its logs. */
    public val requestId: String? get() = details.requestId

    /** Whether the request reached the service. */
    public val delivery: Delivery get() = details.delivery

    /** Whether it is safe to make the same call again, without a second effect. */
    public val safeToRetry: Boolean get() = details.safeToRetry

    /** How long the service asked to wait. */
    public val retryAfter: Duration? get() = details.retryAfter

    /** For an unknown outcome: how to find out what happened. */
    public val reconcile: String? get() = details.reconcile

    /**
     * After an unknown outcome of an operation that is never repeated: by this id `reconcile` of a client knows what was sent, in
     * this process.
     */
    public val writeId: String? get() = details.writeId
}

/** A panic inside the library, as an exception like any other. */
internal fun internalFailure(reason: String): SondageException =
    SondageException.Internal(
        ErrorDetails(
            message = "A call failed inside the library ($reason). Please report this with the steps that led to it.",
            hint = "Please report this with the steps that led to it.",
            attempts = 0,
            delivery = Delivery.UNKNOWN,
            safeToRetry = false,
        ),
    )
