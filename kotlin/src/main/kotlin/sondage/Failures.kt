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

/** A value of a type that the library does not take, as an exception like any other. */
internal fun unfit(what: String, hint: String): SondageException =
    SondageException.InvalidArgument(
        ErrorDetails("$what. Nothing was sent. $hint", hint, attempts = 0, delivery = Delivery.NO, safeToRetry = false),
    )
