package sondage

import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.NotSerializableException
import java.io.ObjectInputStream
import java.io.ObjectOutputStream
import java.time.Instant

/**
 * Results can be stored in a file or in the saved state of a screen. Objects with a secret, which is printed as asterisks,
 * cannot. The cases check every response.
 */
internal fun keeps(value: Any?) {
    if (value.toString().contains("***")) {
        assertThrows(NotSerializableException::class.java) { again(value) }
    } else {
        assertEquals(value, again(value))
    }
}

private fun again(value: Any?): Any? {
    val bytes = ByteArrayOutputStream()
    ObjectOutputStream(bytes).use { it.writeObject(value) }
    return ObjectInputStream(ByteArrayInputStream(bytes.toByteArray())).use { it.readObject() }
}

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
    fun `a secret is not written`() {
        val interview = MemberInterview(id = "7", answersLink = Secret("https://example.com/geheim"))
        val refused = assertThrows(NotSerializableException::class.java) { again(interview) }
        assertTrue(refused.message!!.contains("copy") && !refused.message!!.contains("geheim"), refused.message)
        keeps(interview.copy(answersLink = null))
    }

    @Test
    fun `an exception is kept`() = coroutine {
        val missing = fails<SondageException> { client.readPanel(1) }
        val again = again(missing) as SondageException
        assertEquals(listOf(missing.message, missing.status, missing.hint), listOf(again.message, again.status, again.hint))
    }
}
