// A program as an app would contain it: `MinifiedTest` runs it after a shrinker has removed and renamed what it can.
package app

import kotlinx.coroutines.flow.count
import kotlinx.coroutines.runBlocking
import sondage.Client
import sondage.Delivery
import sondage.FieldValue
import sondage.LogLevel
import sondage.MemberInterview
import sondage.Secret
import sondage.Settings
import sondage.SondageException
import sondage.VariableType
import sondage.logTo
import java.io.ByteArrayInputStream
import java.io.ByteArrayOutputStream
import java.io.ObjectInputStream
import java.io.ObjectOutputStream
import java.io.Serializable
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit

private const val LINK = "https://example.com/geheim"

private fun written(value: Any): ByteArray =
    ByteArrayOutputStream().also { bytes -> ObjectOutputStream(bytes).use { it.writeObject(value) } }.toByteArray()

private fun read(bytes: ByteArray): Any = ObjectInputStream(ByteArrayInputStream(bytes)).use { it.readObject() }

private fun keep(name: String, value: Serializable, secret: (Any) -> Secret?) {
    val bytes = written(value)
    val leaks = bytes.toString(Charsets.ISO_8859_1).contains("geheim")
    val refusal = runCatching { secret(read(bytes))?.reveal() }.exceptionOrNull()?.message
    println("$name: leaks $leaks, $refusal")
}

fun main(arguments: Array<String>): Unit = runBlocking {
    val (accountUrl, baseUrl, authUrl, token, panelId) = arguments
    keep("member", MemberInterview(id = "7", answersLink = Secret(LINK))) { (it as MemberInterview).answersLink }
    keep("settings", Settings(clientSecret = Secret("geheim"))) { (it as Settings).clientSecret }
    val plain = listOf(VariableType.Number, VariableType.Unknown("Hologram"), FieldValue.Bool(true), Delivery.ANSWERED)
    println("kept: ${read(written(ArrayList(plain))) == plain}")
    val logged = CountDownLatch(1)
    logTo({ logged.countDown() }, LogLevel.DEBUG)
    val client = Client(accountUrl, { token }, settings = Settings(baseUrl = baseUrl, authUrl = authUrl))
    println("members: ${client.members(panelId.toLong()).count()}")
    try {
        client.readPanel(1)
    } catch (error: SondageException) {
        println("error: ${error.operation}, ${error.status}, ${error.delivery == Delivery.ANSWERED}")
        println("error kept: ${(read(written(error)) as SondageException).message == error.message}")
    }
    println("logged: ${logged.await(10, TimeUnit.SECONDS)}")
    client.close()
}
