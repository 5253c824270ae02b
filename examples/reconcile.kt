// Reconciles a call whose outcome is unknown: looks up whether it took effect, and calls again only if it did
// not. On a platform in this process.
@file:JvmName("Reconcile")

import kotlinx.coroutines.runBlocking
import sondage.Client
import sondage.SondageException
import sondage.Verdict
import sondage.newMember
import sondage.testing.CutPoint
import sondage.testing.Fault
import sondage.testing.FaultAction
import sondage.testing.Sandbox
import sondage.word
import java.time.Duration

private suspend fun createOnce(client: Client, panelId: Long) {
    val person = newMember("Email" to "ada@example.com", "FirstName" to "Ada")
    try {
        client.createMembers(panelId, listOf(person))
    } catch (error: SondageException.OutcomeUnknown) {
        val became = client.reconcile(error.writeId!!, quiet = Duration.ZERO)
        println("${became.verdict.word}: ${became.evidence}")
        if (became.verdict == Verdict.DID_NOT_HAPPEN) createOnce(client, panelId)
    }
}

fun main(): Unit = runBlocking {
    Sandbox.demo().use { box ->
        // The first call is lost before it arrives, the response of the second one on its way back.
        box.fault(Fault("CreateMembers", FaultAction.Status(503)))
        box.fault(Fault("CreateMembers", FaultAction.Cut(CutPoint.AFTER_EFFECT)))
        createOnce(box.client(), box.panelId)
        println("created: ${box.effects("CreateMembers")}")
    }
}
