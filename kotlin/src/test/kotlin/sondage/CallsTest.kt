package sondage

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.withContext
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test
import java.time.Instant

class CallsTest {
    private val box = Sandbox.shared
    private val client = box.client()

    @BeforeEach
    fun forget() = box.forget()

    @AfterEach
    fun close() = client.close()

    @Test
    fun `a suspending call with named and default arguments`() = coroutine {
        val answer = client.readMemberList(panelId = box.panelId, fieldsToDownload = listOf("Email", "Gender"))
        assertTrue(answer.members.size >= 200)
        val member = answer.members.first()
        assertTrue(member["Email"]!!.text!!.contains("@"))
        assertNull(member["Division"])
        assertEquals(VariableType.Number, member.fields.getValue("Gender").fieldType)
        assertTrue(member.createdAt < Instant.now() && member.interviews.isEmpty())
    }

    @Test
    fun `the same from a blocking client`() {
        box.blockingClient().use { blocking ->
            assertTrue(blocking.readMemberList(box.panelId).members.size >= 200)
            assertTrue(client.blocking().readMemberList(panelId = box.panelId).members.size >= 200)
        }
    }

    @Test
    fun `fields keep the order in which the service sent them`() = coroutine {
        val names = ('a'..'z').shuffled().map { "Field$it" }
        val fields = names.joinToString { """"$it": {"name": "$it", "fieldType": "String", "value": "x"}""" }
        val member = """{"id": 1, "fields": {$fields}, "createdAt": "2024-05-01T12:30:00Z"}"""
        box.answer("ReadMemberList", """{"isSuccess": true, "members": [$member]}""")
        assertEquals(names, client.readMemberList(box.panelId).members.single().fields.keys.toList())
    }

    @Test
    fun `members are created with emoji and umlauts, and come back as they were`() = coroutine {
        val name = "Zoë 🧑🏽‍🚀 \u0000 \"quoted\" \\ \u2028"
        val created = client.createMembers(box.panelId, listOf(newMember("Email" to "zoe@example.com", "FirstName" to name, "Gender" to 2)))
        val id = requireNotNull(created.membersIds.single()) { "${created.validationIssues}" }
        val condition = Condition(Conjunction.And, ConditionType.Panel, "Email", ConditionOperator.IsEqualTo, "zoe@example.com")
        val found = client.readMemberList(box.panelId, conditions = listOf(condition)).members.single { it.id == id }
        assertEquals(FieldValue.Text(name), found["FirstName"])
        assertEquals(FieldValue.Int(2), found["Gender"])
    }

    @Test
    fun `ids at the limits of 64 bits keep every digit`() = coroutine {
        for (id in listOf(Long.MAX_VALUE, Long.MIN_VALUE, 9_007_199_254_740_993)) {
            box.answer("InviteMembers", """{"isSuccess": true, "samplingProjectId": $id, "distributorId": $id}""")
            val answer = client.inviteMembers(surveyId = id, panelId = id, messageTemplateId = id, memberIds = listOf(id))
            assertEquals(id, answer.samplingProjectId)
            assertEquals(id, answer.distributorId)
        }
    }

    @Test
    fun `unknown values of enumerations and unknown fields are kept`() = coroutine {
        box.fault("""{"on": "ReadMemberList", "action": {"kind": "unknownEnums"}}""")
        val field = client.readMemberList(box.panelId).members.first().fields.values.first()
        assertTrue(field.fieldType is VariableType.Unknown, "${field.fieldType}")
        box.fault("""{"on": "ReadMemberList", "action": {"kind": "unknownFields"}}""")
        val answer = client.readMemberList(box.panelId)
        assertFalse(answer.extra.isEmpty() || answer.members.first().extra.isEmpty(), "${answer.extra}")
    }

    @Test
    fun `an unknown word is sent as it is`() = coroutine {
        box.profile("""{"keepBodies": true}""")
        val failed = fails<SondageException.Api> {
            client.createAndInviteMembers(
                surveyId = box.surveyId,
                panelId = box.panelId,
                messageTemplateId = box.messageTemplateId,
                channel = DistributionChannel.Unknown("Telegraph"),
                members = listOf(newMember("Email" to "a@example.com")),
            )
        }
        assertEquals("CreateAndInviteMembers", failed.operation)
        val body = box.requests("CreateAndInviteMembers").single().getValue("body").toString()
        assertTrue(body.contains("Telegraph"), body)
    }

    @Test
    fun `options of single calls`() = coroutine {
        val failed = fails<SondageException.Api> {
            client.withOptions(extra = mapOf("inventedField" to """{"a": [1]}""")).readPanel(box.panelId)
        }
        assertTrue(failed.message.contains("inventedField"), failed.message)
        box.fault("""{"on": "ReadPanel", "delayMs": 3000}""")
        val late = fails<SondageException.Network> { client.withOptions(deadline = java.time.Duration.ofMillis(200)).readPanel(box.panelId) }
        assertTrue(late.safeToRetry, late.message)
        val secret = fails<SondageException.InvalidArgument> { client.withOptions(headers = mapOf("Authorization" to "Bearer of-another")) }
        assertTrue("`authorization`" in secret.message && "of-another" !in secret.message, secret.message)
        box.fault("""{"on": "ReadMemberList", "action": {"kind": "status", "status": 503}}""")
        val once = client.withOptions(attempts = 1, timeout = java.time.Duration.ofMinutes(1), headers = mapOf("X-Team" to "panel"))
        val failed503 = fails<SondageException.Network> { once.readMemberList(box.panelId) }
        assertEquals(1, failed503.attempts, failed503.message)
    }

    @Test
    fun `an attempt that takes too long is followed by the next`() = coroutine {
        val slow = """{"on": "ReadPanel", "times": 1, "delayMs": 3000}"""
        val patient = client.withOptions(timeout = java.time.Duration.ofMillis(500))
        patient.readPanel(box.panelId)
        box.forget()
        box.fault(slow)
        assertTrue(patient.readPanel(box.panelId).panel != null)
        assertEquals(2, box.requests("ReadPanel").size)
        box.fault(slow)
        val late = fails<SondageException.Network> { patient.withOptions(attempts = 1).readPanel(box.panelId) }
        assertTrue(late.timedOut && late.safeToRetry && late.attempts == 1, late.message)
    }

    @Test
    fun `a client sends only what its settings allow`() = coroutine {
        val settings = listOf(
            "`readOnly`" to box.settings().copy(readOnly = true),
            "`operations`" to box.settings().copy(operations = "ReadPanel, ReadMemberList"),
        )
        for ((name, allowed) in settings) {
            Client(box.accountUrl, { box.token() }, allowed).use { client ->
                client.readPanel(box.panelId)
                val refused = fails<SondageException> { client.createMembers(box.panelId, listOf(newMember("Email" to "a@example.com"))) }
                assertTrue(name in refused.message && refused.operation == "CreateMembers", refused.message)
                assertEquals(Delivery.NO, refused.delivery)
            }
        }
        assertTrue(box.requests("CreateMembers").isEmpty())
    }

    @Test
    fun `a raw call, with its status and headers`() = coroutine {
        val body = """{"tenant": "${box.tenant}", "panelId": ${box.panelId}}"""
        val answer = client.raw("/publicapi/Panel/v3/ReadPanel", body, Effect.READ)
        assertEquals(200, answer.status)
        assertTrue(answer.headers.getValue("content-type").startsWith("application/json"))
        assertTrue(answer.text.contains("\"groups\"") && answer.attempts == 1)
    }

    @Test
    fun `fifty calls at once`() = coroutine {
        val sizes = (1..50).map { async { client.readMemberList(box.panelId, fieldsToDownload = listOf("Email")).members.size } }.awaitAll()
        assertEquals(50, sizes.size)
        assertTrue(sizes.all { it >= 200 })
    }

    @Test
    fun `a coroutine without a dispatcher may block and call again`() = coroutine {
        withContext(Dispatchers.Unconfined) {
            repeat(20) {
                client.readWorkspaceList()
                client.blocking().readWorkspaceList()
            }
            assertFalse(Thread.currentThread().name.startsWith("Thread-"), Thread.currentThread().name)
        }
    }

    @Test
    fun `a secret is never printed`() = coroutine {
        val settings = Settings(clientSecret = Secret("geheim"), password = Secret("geheim"))
        assertFalse("$settings ${Secret("geheim")}".contains("geheim"))
        val refused = fails<SondageException> { client.getApiToken("nobody", Secret("geheim")) }
        assertFalse(refused.toString().contains("geheim"))
    }
}
