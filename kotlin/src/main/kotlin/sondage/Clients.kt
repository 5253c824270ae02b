package sondage

/**
 * A client that gets its tokens from the application: `Client("https://acme.survalyzer-eu.app") { backend.surveyToken() }`.
 *
 * @param accountUrl The account's own address.
 * @param settings Everything else.
 * @param token Provides access tokens, without `Bearer`.
 */
@Suppress("FunctionName")
public fun Client(accountUrl: String, settings: Settings? = null, token: TokenProvider): Client =
    Client(accountUrl, token, settings)
