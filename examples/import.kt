// Imports people from rows into a panel, each once, even if the program is killed and run again, on a platform
// in this process.
@file:JvmName("Import")

import kotlinx.coroutines.runBlocking
import sondage.row
import sondage.testing.Sandbox
import sondage.word
import java.nio.file.Files

fun main(): Unit = runBlocking {
    val folder = Files.createTempDirectory("sondage")
    Sandbox.demo().use { box ->
        val people =
            listOf(
                row("Email" to "ada@example.com", "FirstName" to "Ada", "CellPhoneNumber" to "41791234567"),
                row("Email" to "alan@example.com", "FirstName" to "Alan"),
                row("Email" to "grace@example.com", "FirstName" to "Grace", "CellPhoneNumber" to "0791234567"),
                row("Email" to "ALAN@example.com", "FirstName" to "Alan"),
            )

        // The same call again resumes the import.
        val journal = folder.resolve("people.journal").toString()
        val report = box.client().importMembers(box.panelId, people, "Email", journal = journal)
        println(report.text)
        for (row in report.rows) {
            println("row ${row.row}: ${row.status.word} ${row.reason?.let { "($it)" }.orEmpty()}")
        }
    }
    folder.toFile().deleteRecursively()
}
