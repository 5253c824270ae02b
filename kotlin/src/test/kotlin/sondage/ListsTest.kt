package sondage

import kotlinx.coroutines.flow.count
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.take
import kotlinx.coroutines.flow.toList
import org.junit.jupiter.api.AfterEach
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertNull
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.BeforeEach
import org.junit.jupiter.api.Test

class ListsTest {
    private val box = Sandbox.shared
    private val client = box.client()

    @BeforeEach
    fun forget() = box.forget()

    @AfterEach
    fun close() = client.close()

    @Test
    fun `members as a flow, page by page`() = coroutine {
        val ids = client.members(panelId = box.panelId, fieldsToDownload = listOf("Email"), pageSize = 30).map { it.id }.toList()
        assertTrue(ids.size >= 200 && ids.toSet().size == ids.size)
        assertTrue(box.requests("ReadMemberList").size >= 7)
    }

    @Test
    fun `who stops collecting stops reading`() = coroutine {
        val members = client.members(box.panelId, pageSize = 10)
        assertEquals(5, members.take(5).count())
        assertEquals(1, box.requests("ReadMemberList").size)
        assertEquals(members.first().id, members.first().id)
    }

    @Test
    fun `members in a blocking sequence`() {
        box.blockingClient().use { blocking ->
            val members = blocking.members(box.panelId, pageSize = 50)
            assertTrue(members.count() >= 200)
            assertEquals(members.first().id, members.first().id)
        }
    }

    @Test
    fun `a class of a test stands for the client, with rows of its own`() = coroutine {
        val fake = object : ClientInterface by client {
            override fun members(
                panelId: Long,
                fieldsToDownload: List<String>?,
                conditions: List<Condition>?,
                tenant: String?,
                interviewsRequired: Boolean?,
                where: Filter?,
                pageSize: Long?,
            ) = flowOf(Member(id = panelId, createdAt = java.time.Instant.EPOCH, fields = mapOf()))
        }
        assertEquals(listOf(7L), fake.members(7).toList().map { it.id })
        assertTrue(fake.members(7).count() == 1 && fake.workspaces().count() > 0)
        assertTrue(box.requests("ReadMemberList").isEmpty())
    }

    @Test
    fun `every other list`() = coroutine {
        assertTrue(client.workspaces().count() > 0)
        assertTrue(client.surveys(box.workspaceId).toList().any { it.id == box.surveyId })
        assertTrue(client.messageTemplates(language = "en").toList().any { it.id == box.messageTemplateId })
        assertTrue(client.distributors(surveyId = box.surveyId).count() >= 0)
        val interview = client.interviewsCompact(box.surveyId, fieldsToDownload = listOf("Id", "State"), pageSize = 100).first()
        assertEquals("Completed", interview.getValue("State").text)
        assertEquals(2, client.interviews(box.surveyId, fieldsToDownload = listOf("Id", "State")).first().columns.size)
    }

    @Test
    fun `a list that breaks is an error and never short`() = coroutine {
        box.fault("""{"on": "ReadMemberList", "skip": 1, "times": null, "action": {"kind": "status", "status": 403}}""")
        var seen = 0
        fails<SondageException.PermissionDenied> { client.members(box.panelId, pageSize = 20).collect { seen += 1 } }
        assertEquals(20, seen)
        val pages = client.memberPages(box.panelId, pageSize = 20)
        fails<SondageException> { while (pages.next() != null) Unit }
        val again = fails<SondageException.InvalidArgument> { pages.next() }
        assertTrue(again.hint.contains("from its beginning"), again.message)
    }

    @Test
    fun `pages by hand`() = coroutine {
        val pages = client.surveyPages(box.workspaceId)
        assertTrue(pages.next()!!.isNotEmpty())
        assertNull(pages.next())
        assertNull(pages.next())
        assertNull(pages.nextBlocking())
    }
}
