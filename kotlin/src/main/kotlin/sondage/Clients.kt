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

/**
 * Creates one member, and returns its id. If the service refuses the member, this is a [SondageException.Api] with its
 * reasons; `createMembers` of several returns them in its response.
 *
 * @param panelId The panel or sample.
 * @param member The member, with at least one field.
 * @param tenant The tenant; the client's own when left out.
 */
public suspend fun ClientInterface.createMember(panelId: Long, member: NewMember, tenant: String? = null): Long =
    created(createMembers(panelId, listOf(checked(member)), tenant))

internal fun checked(member: NewMember): NewMember {
    if (member.fields.isEmpty()) {
        throw unfit("`member` has no field", "Give at least one: `newMember(\"Email\" to address)`.")
    }
    return member
}

internal fun created(response: CreateMembersResponse): Long {
    response.membersIds.singleOrNull()?.takeIf { it > 0 }?.let { return it }
    // Only a reason of the service says that nobody was created.
    if (response.validationIssues.isEmpty()) throw SondageException.OutcomeUnknown(unclear())
    val issues = response.validationIssues.map { it.errorMessage ?: it.errorCode ?: "no reason was given" }
    throw SondageException.Api(
        ErrorDetails(
            message = "The service refused the member: ${issues.joinToString("; ")}. Nobody was created.",
            hint = "Change what the service says, and call again.",
            operation = "CreateMembers",
            attempts = 1,
            errorCode = response.validationIssues.firstNotNullOfOrNull { it.errorCode },
            errorMessage = response.validationIssues.firstNotNullOfOrNull { it.errorMessage },
            delivery = Delivery.ANSWERED,
            safeToRetry = true,
        ),
    )
}

private fun unclear(): ErrorDetails {
    val hint = "Look for the member in the panel before you call again."
    return ErrorDetails(
        message = "The service returned neither an id nor a reason, so it is unknown whether the member was created. $hint",
        hint = hint,
        operation = "CreateMembers",
        attempts = 1,
        delivery = Delivery.ANSWERED,
        safeToRetry = false,
    )
}
