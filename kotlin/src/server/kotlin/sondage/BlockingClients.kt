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
