package sondage

import com.fasterxml.jackson.core.JsonGenerator
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.SerializerProvider
import com.fasterxml.jackson.databind.module.SimpleModule
import com.fasterxml.jackson.databind.ser.std.StdSerializer
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

/** The recipe of the README. */
private object RecordSerializer : StdSerializer<JsonRecord>(JsonRecord::class.java) {
    override fun serialize(record: JsonRecord, json: JsonGenerator, provider: SerializerProvider) =
        json.writeRawValue(record.toJson())
}

private val sondageModule = SimpleModule("sondage").addSerializer(RecordSerializer)

class JacksonTest {
    private class Page(val members: List<NewMember>, val total: Int)

    @Test
    fun `Jackson writes records as the service does`() {
        val mapper = ObjectMapper().registerModule(sondageModule)
        val text = mapper.writeValueAsString(Page(listOf(newMember("Email" to "ada@example.com")), 1))
        val member = """{"fields":{"Email":{"name":"Email","fieldType":"String","value":"ada@example.com"}}}"""
        assertEquals("""{"members":[$member],"total":1}""", text)
    }
}
