package sondage

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.ObjectInputStream
import java.io.ObjectOutputStream
import java.time.Instant

/**
 * Results can be stored in a file or in the saved state of a screen. A secret, which is printed as asterisks, is left out.
 * The cases check every response.
 */
internal fun keeps(value: Any?) {
    if (value.toString().contains("***")) {
        assertEquals(value.toString(), again(value).toString())
    } else {
        assertEquals(value, again(value))
    }
}

private fun again(value: Any?): Any? = ObjectInputStream(ByteArrayInputStream(written(value))).use { it.readObject() }

private fun written(value: Any?): ByteArray =
    ByteArrayOutputStream().also { bytes -> ObjectOutputStream(bytes).use { it.writeObject(value) } }.toByteArray()

class KeepingTest {
    private val box = Sandbox.shared
    private val client = box.client()

    @AfterEach
    fun close() {
        box.forget()
        client.close()
    }

    @Test
    fun `members are kept as they were read`() = coroutine {
        box.fault("""{"on": "ReadMemberList", "action": {"kind": "unknownEnums"}}""")
        val strange = client.readMemberList(box.panelId)
        assertTrue(strange.members[0].fields.values.first().fieldType is VariableType.Unknown)
        keeps(listOf(strange, client.readMemberList(box.panelId)))
    }

    @Test
    fun `every digit and every kind of value is kept`() {
        val member = newMember("a" to Long.MAX_VALUE, "b" to 9_007_199_254_740_993, "c" to 0.1, "d" to null, "e" to true, "f" to "Zoë \u2028")
        keeps(member)
        keeps(Member(id = Long.MIN_VALUE, createdAt = Instant.ofEpochMilli(1), fields = member.fields))
        keeps(listOf(VariableType.Number, VariableType.Unknown("Hologram"), FieldValue.Null, FieldValue.Bool(true)))
    }

    @Test
    fun `a secret is not written, and one that was read back says so`() = coroutine {
        val interview = MemberInterview(id = "7", answersLink = Secret("https://example.com/geheim"))
        assertFalse(written(interview).toString(Charsets.ISO_8859_1).contains("geheim"))
        val settings = again(box.settings().copy(clientSecret = Secret("geheim"))) as Settings
        val refused = fails<SondageException.InvalidArgument> { Client.configured(settings) }
        assertTrue(refused.message.contains("left out when it was serialised"), refused.message)
        val told = fails<SondageException.InvalidArgument> { settings.clientSecret!!.reveal() }
        assertTrue(told.message.contains("leaves its text out") && told.message.contains("`copy`"), told.message)
        assertEquals(interview.copy(answersLink = null), (again(interview) as MemberInterview).copy(answersLink = null))
    }

    @Test
    fun `an exception is kept`() = coroutine {
        val missing = fails<SondageException> { client.readPanel(1) }
        val again = again(missing) as SondageException
        assertEquals(listOf(missing.message, missing.status, missing.hint), listOf(again.message, again.status, again.hint))
    }
}
