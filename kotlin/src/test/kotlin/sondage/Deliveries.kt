package sondage

import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.contentOrNull
import kotlinx.serialization.json.jsonArray
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import java.time.Instant

/** Emits an event of the sandbox, which is delivered to its subscribers. */
fun Sandbox.emit(cause: String): Boolean = control("causes", "POST", cause).value("emitted").boolean

/** Injects a fault into future deliveries. */
fun Sandbox.deliver(fault: String) {
    control("deliveries", "POST", fault)
}

/** Event type and status of each attempt. */
fun Sandbox.deliveries(): List<String> =
    control("deliveries", "GET").jsonObject.getValue("attempts").jsonArray.map {
        "${it.jsonObject.value("eventType").content} ${it.jsonObject.value("status").content}"
    }

/** The sandbox's time. */
fun Sandbox.now(): Instant = Instant.parse(control("clock", "GET").value("now").content)

/** Waits until every attempt that is due was made; `drain`: moves the clock until no event is pending. */
fun Sandbox.settle(drain: Boolean = false) {
    val end = System.nanoTime() + DEADLINE.toNanos()
    while (true) {
        val pending = control("pending", "GET")
        val due = pending.value("nextDue").contentOrNull
        when {
            pending.value("busy").boolean -> Thread.sleep(10)
            drain && due != null -> control("clock", "POST", """{"set": "$due"}""")
            else -> return
        }
        check(System.nanoTime() < end) { "the deliveries did not end" }
    }
}

private fun kotlinx.serialization.json.JsonElement.value(name: String): JsonPrimitive =
    (this as JsonObject).getValue(name).jsonPrimitive
