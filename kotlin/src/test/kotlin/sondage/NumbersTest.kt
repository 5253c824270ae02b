package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import java.lang.reflect.InvocationTargetException
import java.time.Duration

/** A value out of range is an exception that says so, and never ends the process. */
class NumbersTest {
    private val box = Sandbox.shared

    @BeforeEach
    fun forget() = box.forget()

    @Test
    fun `a number of the service that does not fit is an unexpected answer`() = coroutine {
        box.client().use { client ->
            for (id in listOf("9223372036854775808", "1.5", "1e400", "\"1\"", "null")) {
                box.forget()
                val member = """{"id": $id, "fields": {}, "createdAt": "2024-05-01T12:30:00Z"}"""
                box.answer("ReadMemberList", """{"isSuccess": true, "members": [$member]}""", times = 5)
                val failed = fails<SondageException.UnexpectedResponse> { client.readMemberList(box.panelId) }
                assertTrue(failed.message.contains("members[0].id"), failed.message)
            }
        }
    }

    @Test
    fun `a value of any size is kept as it came`() = coroutine {
        box.client().use { client ->
            for ((sent, kept) in listOf("9007199254740993" to FieldValue.Int(9007199254740993), "0.5" to FieldValue.Float(0.5))) {
                val field = """{"name": "Age", "fieldType": "Number", "value": $sent}"""
                box.answer("ReadMemberList", """{"isSuccess": true, "members": [{"id": 1, "fields": {"Age": $field}, "createdAt": "2024-05-01T12:30:00Z"}]}""")
                assertEquals(kept, client.readMemberList(box.panelId).members.single()["Age"])
            }
        }
    }

    @Test
    fun `the longest durations and the largest pages`() = coroutine {
        box.client().use { client ->
            val forever = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999)
            assertTrue(client.withOptions(deadline = forever).readPanel(box.panelId).panel != null)
            for (size in listOf(Long.MIN_VALUE, -1, 0)) {
                val wrong = fails<SondageException.InvalidArgument> { client.memberPages(box.panelId, pageSize = size) }
                assertTrue(wrong.message.contains("page"), wrong.message)
            }
            assertTrue(client.closeWithin(forever).isEmpty())
        }
    }

    /** Kotlin's compiler refuses the following; Java and unchecked casts do not. */
    @Test
    fun `nothing, or something else, where a value is due`() {
        box.blockingClient().use { client ->
            val create = BlockingClient::class.java.methods.single { it.name == "createMembers" }
            val nothing = assertThrows(InvocationTargetException::class.java) { create.invoke(client, box.panelId, null, null) }
            assertTrue(nothing.targetException.message!!.contains("members"), "${nothing.targetException}")
            @Suppress("UNCHECKED_CAST")
            assertThrows(ClassCastException::class.java) { client.createMembers(box.panelId, listOf("ada") as List<NewMember>) }
            assertTrue(client.readPanel(box.panelId).panel != null && box.requests("CreateMembers").isEmpty())
        }
    }
}
