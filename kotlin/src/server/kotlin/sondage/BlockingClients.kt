package sondage

/**
 * A client whose calls block, and that gets its tokens from the application:
 * `BlockingClient("https://acme.survalyzer-eu.app") { backend.surveyToken() }`.
 *
 * @param accountUrl The account's own address.
 * @param settings Everything else.
 * @param token Provides access tokens, without `Bearer`.
 */
@Suppress("FunctionName")
public fun BlockingClient(accountUrl: String, settings: Settings? = null, token: TokenProvider): BlockingClient =
    BlockingClient(accountUrl, token, settings)

/**
 * Creates one member, and returns its id. If the service refuses the member, this is a [SondageException.Api] with its
 * reasons.
 *
 * @param panelId The panel or sample.
 * @param member The member, with at least one field.
 * @param tenant The tenant; the client's own when left out.
 */
public fun BlockingClientInterface.createMember(panelId: Long, member: NewMember, tenant: String? = null): Long =
    created(createMembers(panelId, listOf(checked(member)), tenant))
