// Records calls in a file, and answers them from that file without a network.
@file:JvmName("Recording")

import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.flow.toSet
import kotlinx.coroutines.runBlocking
import sondage.Client
import sondage.Settings
import sondage.SondageException
import sondage.get
import sondage.testing.Sandbox
import sondage.text
import java.nio.file.Files

fun main(): Unit = runBlocking {
    val folder = Files.createTempDirectory("sondage-")
    val file = folder.resolve("calls.jsonl").toString()
    val (panelId, live) =
        Sandbox.demo().use { box ->
            val client = Client.configured(box.settings().copy(record = file))
            client.readPanel(box.panelId)
            box.panelId to client.members(box.panelId).map { it.id }.toSet()
        }

    // The platform has stopped. This client knows no account, no secret and no address.
    val client = Client.configured(Settings(replay = file))
    val members = client.members(panelId).toList()
    println("${members.count { it.id in live }} of ${live.size} members are in the recording")
    println("one of them: ${members[0]["Email"]?.text}")
    try {
        client.readPanel(panelId = 7)
    } catch (error: SondageException.Configuration) {
        println(error.message.replace(file, "calls.jsonl"))
    }
    folder.toFile().deleteRecursively()
}
