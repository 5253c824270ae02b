// Code that the compiler must refuse: every line marked as refused, and no other line. RefusedTest compiles
// it.

import kotlinx.coroutines.flow.Flow
import sondage.BlockingClient
import sondage.Client
import sondage.Delivery
import sondage.Member
import sondage.Settings
import sondage.SondageException
import sondage.newMember

const val ACCOUNT = "https://acme.survalyzer-eu.app"

suspend fun calls(client: Client) {
    client.readPanel(panelId = 1)
    client.readPanel() // refused: the panel is missing
    client.readPanel(panelId = "1") // refused: an id is not text
    client.readPanel(panelId = 1.5) // refused: an id has no decimals
    client.readPanel(panelId = 9223372036854775808) // refused: an id has at most 64 bits
    client.readPanel(panelId = null) // refused: an id is not null
    client.readPanel(panel = 1) // refused: there is no such argument
    client.readMemberList(1, fieldsToDownload = listOf("Email"))
    client.readMemberList(1, fieldsToDownload = "Email") // refused: a list is expected
    client.readMemberList(1, fieldsToDownload = listOf(1)) // refused: the elements are names
    client.createMembers(1, members = listOf(newMember("Email" to "ada@example.com")))
    client.createMembers(1, members = listOf("ada@example.com")) // refused: a text is not a member
    client.inviteMembers(1, 1, 1, scheduleDateTime = "2030-01-01") // refused: a text is not a time
    client.createPerson(1) // refused: there is no such operation
    client.archiveAnswers(1, "documents", partial = true)
    client.archiveAnswers(1) // refused: the folder is missing
    client.archiveAnswers(1, "documents", where = "Division") // refused: a text is not a filter
    client.archiveAnswers(1, "documents", watch = 5) // refused: a number is not a watch
}

fun waiting(client: Client, blocking: BlockingClient) {
    blocking.readPanel(1)
    client.readPanel(1) // refused: it suspends
}

fun connecting() {
    Client(ACCOUNT, { "a-token" })
    Client(ACCOUNT) // refused: the token provider is missing
    Client(ACCOUNT, "a-token") // refused: a token is not a provider
    Client(ACCOUNT, { 1 }) // refused: a token is text
    Client.configured(Settings(clientSecret = "geheim")) // refused: a secret is a Secret
    Client.configured(Settings(clientSecrets = null)) // refused: there is no such setting
}

fun answers(client: Client, member: Member, error: SondageException) {
    val flow: Flow<Member> = client.members(1)
    val list: List<Member> = client.members(1) // refused: a flow is not a list
    member.id = 2 // refused: a response is immutable
    member.name // refused: there is no such property
    val delivery: Delivery = error.delivery
    error.retryAfter.seconds // refused: it may be null
    sondage.FfiConverterString.lower("a") // refused: the internals are not public
    Client(noHandle = TODO()) // refused: the internals are not public
}
