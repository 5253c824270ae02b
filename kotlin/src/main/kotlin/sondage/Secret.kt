package sondage

/**
 * A password, a token or a secret. It is sent, but never displayed: printing it prints asterisks.
 */
public class Secret(private val text: String) {
    /** The text itself. Use it only where the secret is needed. */
    public fun reveal(): String = text

    override fun toString(): String = "***"

    override fun equals(other: Any?): Boolean = other is Secret && other.text == text

    override fun hashCode(): Int = text.hashCode()
}
