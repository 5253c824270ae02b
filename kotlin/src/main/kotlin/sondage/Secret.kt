package sondage

import java.io.NotSerializableException
import java.io.ObjectOutputStream
import java.io.Serializable

/**
 * A password, a token or a secret. It is sent, but never displayed: printing it prints asterisks. Serialising it, or what
 * holds it, throws [NotSerializableException].
 */
public class Secret(private val text: String) : Serializable {
    /** The text itself. Use it only where the secret is needed. */
    public fun reveal(): String = text

    override fun toString(): String = "***"

    override fun equals(other: Any?): Boolean = other is Secret && other.text == text

    override fun hashCode(): Int = text.hashCode()

    private fun writeObject(@Suppress("UNUSED_PARAMETER") out: ObjectOutputStream): Unit =
        throw NotSerializableException("a secret is not serialised: leave it out with `copy`, and read it again when you need it")
}
