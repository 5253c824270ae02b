package sondage

import kotlinx.serialization.json.Json
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.time.Instant

/** A record of the API as JSON and back is the record, apart from secrets. The cases check every response. */
internal fun keepsAsJson(record: JsonRecord) {
    val json = record.toJson()
    val again = record::class.java.getMethod("fromJson", String::class.java).invoke(null, json)
    assertEquals(bare(Mirror.write(again)), bare(Json.parseToJsonElement(json)))
    // A secret is printed as it is written as JSON.
    if ("***" in "$record") assertEquals("$record", "$again") else assertEquals(record, again)
}

class RecordsTest {
    private val box = Sandbox.shared
    private val client = box.client()

    @AfterEach
    fun close() {
        box.forget()
        client.close()
    }

    @Test
    fun `what the service has is kept, with what this version does not know`() = coroutine {
        box.fault("""{"on": "ReadMemberList", "action": {"kind": "unknownEnums"}}""")
        val strange = client.readMemberList(box.panelId)
        assertTrue(strange.members[0].fields.values.first().fieldType is VariableType.Unknown)
        keepsAsJson(strange)
        keepsAsJson(client.readMemberList(box.panelId))
        keepsAsJson(client.readPanel(box.panelId))
        val later = Member.fromJson("""{"id": 7, "createdAt": "2024-05-01T12:30:00Z", "later": {"b": 1.50, "a": []}}""")
        assertEquals(mapOf("later" to """{"b": 1.50, "a": []}"""), later.extra)
        assertTrue(later.toJson().endsWith(""""later":{"b": 1.50, "a": []}}"""), later.toJson())
    }

    @Test
    fun `every digit and every kind of value is kept`() {
        val member = newMember("a" to Long.MAX_VALUE, "b" to 9_007_199_254_740_993, "c" to 0.1, "d" to null, "e" to true, "f" to "Zo\u00eb \u2028")
        keepsAsJson(member)
        keepsAsJson(Member(id = Long.MIN_VALUE, createdAt = Instant.ofEpochSecond(7, 1), fields = member.fields))
        assertEquals(
            """{"name":"Points","fieldType":"Number","value":36}""",
            MemberField("Points", VariableType.Number, FieldValue.Int(36)).toJson(),
        )
    }

    @Test
    fun `a secret is not written, and one that was read back is neither shown nor sent`() = coroutine {
        val interview = MemberInterview(id = "7", answersLink = Secret("https://example.com/geheim"))
        val json = interview.toJson()
        assertFalse("geheim" in json, json)
        assertTrue(""""answersLink":"***"""" in json, json)
        val again = MemberInterview.fromJson(json)
        assertEquals(json, again.toJson())
        val told = fails<SondageException.InvalidArgument> { again.answersLink!!.reveal() }
        assertTrue("leaves its text out" in told.message, told.message)
        val refused = fails<SondageException.InvalidArgument> {
            client.createWebHook(EventType.InterviewComplete, "7", again.answersLink!!)
        }
        assertTrue("left out" in refused.message && "geheim" !in refused.message, refused.message)
        assertTrue(box.requests("CreateWebHook").isEmpty())
    }

    @Test
    fun `an error says where, and shows no value`() {
        val wrong =
            mapOf(
                """{"members": [{"id": "anna"}]}""" to "`members[0].id`",
                """{"members": [{}]}""" to "`id` is missing at `members[0]`",
                """{"members": [""" to "cut off",
                "anna" to "is not JSON",
            )
        wrong.forEach { (json, words) ->
            val error = fails<SondageException.InvalidArgument> { ReadMemberListResponse.fromJson(json) }
            assertTrue(words in error.message && "anna" !in error.message, error.message)
        }
        val endless = MemberField("Points", VariableType.Number, FieldValue.Float(Double.NaN))
        assertTrue("`value`" in fails<SondageException.InvalidArgument> { endless.toJson() }.message)
    }
}
