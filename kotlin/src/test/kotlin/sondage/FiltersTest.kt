package sondage

import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertThrows
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import java.time.Instant
import kotlin.reflect.full.memberFunctions

class FiltersTest {
    private val box = Sandbox.shared

    private suspend fun Client.divisions(filter: Filter): List<Pair<String?, String?>> =
        members(box.panelId, where = filter).map { it["Division"]?.text to it["Language"]?.text }.toList()

    @Test
    fun `comparisons are joined, and the platform understands them`() = coroutine {
        box.client().use { client ->
            val filter = (field("Division") isEqualTo "Research") and !(field("Language") isEqualTo "de")
            val found = client.divisions(filter)
            assertTrue(found.isNotEmpty())
            assertTrue(found.all { (division, language) -> division == "Research" && language != "de" })
            val all = client.divisions((field("Division") isEqualTo "Research") or (field("Division") isNotEqualTo "Research"))
            assertTrue(all.size > found.size)
        }
    }

    @Test
    fun `a filter stands for conditions, in operations and in lists`() = coroutine {
        box.client().use { client ->
            val research = field("Division") isEqualTo "Research"
            val conditions = client.readMemberList(box.panelId, conditions = research.conditions()).members.map { it.id }
            assertTrue(conditions.isNotEmpty())
            assertEquals(conditions, client.readMemberList(box.panelId, where = research).members.map { it.id })
            assertEquals(conditions, client.blocking().members(box.panelId, where = research).map { it.id }.toList())
            val both = fails<SondageException.InvalidArgument> {
                client.readMemberList(box.panelId, conditions = research.conditions(), where = research)
            }
            assertTrue("`where`" in both.message && both.operation == "ReadMemberList", both.message)
            assertTrue("nothing" in fails<SondageException.InvalidArgument> { client.readMemberList(box.panelId, where = allOf(listOf())) }.message.lowercase())
        }
    }

    @Test
    fun `whatever takes conditions takes a filter`() {
        val functions = listOf(Client::class, BlockingClient::class, ClientLists::class, BlockingClientLists::class).flatMap { it.memberFunctions }
        val names = functions.map { function -> function.name to function.parameters.mapNotNull { it.name } }
        val conditional = names.filter { (_, parameters) -> "conditions" in parameters }
        assertTrue(conditional.size > 30, "$conditional")
        assertEquals(listOf<Any>(), conditional.filter { (_, parameters) -> "where" !in parameters })
    }

    @Test
    fun `each comparison becomes what the API calls it`() {
        val time = Instant.parse("2024-05-01T12:00:00.123456Z")
        val condition = (column("UpdatedAt") isSince time).conditions().single()
        assertEquals(ConditionOperator.IsGreaterThanOrEqualTo, condition.conditionOperator)
        assertEquals("2024-05-01 12:00:00.123", condition.value)
        assertEquals(ConditionType.Sql, condition.conditionType)
        val prefixed = field("Age").prefixed().ofType(VariableType.Number) isGreaterThan 36
        assertEquals("member.Age", prefixed.conditions().single().identifier)
        assertEquals("1,2", (question("Q1") isIn listOf(1, 2)).conditions().single().value)
        assertEquals(2, (question("Q1") isNotIn listOf(1, 2)).conditions().size)
        assertEquals(ConditionOperator.IsNotEmpty, custom("Source").isNotEmpty().conditions().single().conditionOperator)
    }

    @Test
    fun `a filter is printed as a person would write it`() {
        val either = (field("Division") isEqualTo "Sales") or (field("Language") isIn listOf("de", "at"))
        val filter = either and !(column("State") isEqualTo "Completed")
        assertEquals("""(Division = "Sales" or Language in ["de", "at"]) and not (column(State) = "Completed")""", "$filter")
    }

    @Test
    fun `advice names what Kotlin has`() {
        val comma = fails<SondageException.InvalidArgument> { (field("A") isIn listOf("a,b")).conditions() }
        assertTrue("`isEqualTo`" in comma.message && "`or`" in comma.message, comma.message)
    }

    @Test
    fun `what cannot be compared is an error that says so`() {
        for (wrong in listOf(allOf(listOf()), field("A") isEqualTo Double.NaN, field("A") isIn listOf("a,b"), field("A") isEqualTo "")) {
            assertThrows(SondageException.InvalidArgument::class.java) { wrong.conditions() }
        }
        val late = assertThrows(SondageException.InvalidArgument::class.java) { (column("UpdatedAt") isAfter Instant.MAX).conditions() }
        assertTrue("value" in late.message.orEmpty())
        for (wrong in listOf({ field("A") isEqualTo listOf(1) }, { field("A") isIn listOf(1, Any()) })) {
            val error = fails<SondageException.InvalidArgument> { wrong() }
            assertTrue("cannot compare with" in error.message && "Nothing was sent" in error.message, error.message)
            assertEquals(listOf(Delivery.NO, 0), listOf(error.delivery, error.attempts))
        }
        val several = fails<SondageException.InvalidArgument> { field("A") isEqualTo listOf(1) }
        assertTrue("`isIn`" in several.message, several.message)
    }
}
