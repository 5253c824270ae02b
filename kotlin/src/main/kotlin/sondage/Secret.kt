package sondage

import java.io.Serializable

/**
 * A password, a token or a secret. It is sent, but never displayed: printing it prints asterisks. Serialising it, or what
 * holds it, or writing it as JSON, leaves its text out: a secret that was read back says so when it is used.
 */
public class Secret(text: String) : Serializable {
    // The modifier survives every shrinker. A private `writeObject`, which is found by its name, would be removed.
    @Transient private val text: String? = text.takeUnless { it == MASK }

    /** The text itself. Use it only where the secret is needed. A secret that was read back has none, and throws. */
    public fun reveal(): String =
        text ?: throw unfit(
            "This secret was serialised or written as JSON, which leaves its text out",
            "Store secrets where the system encrypts them, and put this one in again with `copy`.",
        )

    /** The core writes a secret without a text as JSON, and refuses it everywhere else. */
    internal fun lowered(): String = text ?: MASK

    override fun toString(): String = MASK

    override fun equals(other: Any?): Boolean = other is Secret && other.text == text

    override fun hashCode(): Int = text.hashCode()

    private companion object {
        private const val serialVersionUID = 1L
        private const val MASK = "***"
    }
}
