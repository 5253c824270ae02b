package sondage

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
