package sondage

import java.io.Serializable

/**
 * A password, a token or a secret. It is sent, but never displayed: printing it prints asterisks. Serialising it, or what
 * holds it, leaves its text out: a secret that was read back says so when it is used.
 */
public class Secret(text: String) : Serializable {
    // The modifier survives every shrinker. A private `writeObject`, which is found by its name, would be removed.
    @Transient private val text: String? = text

    /** The text itself. Use it only where the secret is needed. A secret that was serialised has none, and throws. */
    public fun reveal(): String =
        text ?: throw unfit(
            "This secret was serialised and read back, which leaves its text out",
            "Store secrets where the system encrypts them, and put this one in again with `copy`.",
        )

    override fun toString(): String = "***"

    override fun equals(other: Any?): Boolean = other is Secret && other.text == text

    override fun hashCode(): Int = text.hashCode()

    private companion object {
        private const val serialVersionUID = 1L
    }
}
