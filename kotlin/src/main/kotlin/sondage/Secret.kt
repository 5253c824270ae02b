package sondage

/**
 * A password, a token or a secret. It is sent, and shown nowhere: printing it prints stars.
 */
public class Secret(private val text: String) {
    /** The text itself, for the one place that needs it. */
    public fun reveal(): String = text

    override fun toString(): String = "***"

    override fun equals(other: Any?): Boolean = other is Secret && other.text == text

    override fun hashCode(): Int = text.hashCode()
}
