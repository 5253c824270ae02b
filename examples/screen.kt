// What a screen shows: the members of a division, that they are loading, or why they cannot be shown.
@file:JvmName("Screen")

import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.flow.MutableStateFlow
import kotlinx.coroutines.flow.StateFlow
import kotlinx.coroutines.flow.asStateFlow
import kotlinx.coroutines.flow.map
import kotlinx.coroutines.flow.toList
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import sondage.Client
import sondage.SondageException
import sondage.field
import sondage.get
import sondage.testing.Fault
import sondage.testing.FaultAction
import sondage.testing.Sandbox
import sondage.text

sealed interface MembersState {
    data object Loading : MembersState

    data class Shown(val names: List<String>) : MembersState

    data class Failed(val message: String, val canRetry: Boolean) : MembersState
}

/** In a `ViewModel`: `MembersModel(client, panelId, viewModelScope)`. */
class MembersModel(private val client: Client, private val panelId: Long, private val scope: CoroutineScope) {
    private val latest = MutableStateFlow<MembersState>(MembersState.Loading)
    private var search: Job? = null

    /** What to show. */
    val state: StateFlow<MembersState> = latest.asStateFlow()

    /** A new search cancels the previous one. */
    fun search(division: String): Job {
        search?.cancel()
        latest.value = MembersState.Loading
        return scope.launch { latest.value = found(division) }.also { search = it }
    }

    private suspend fun found(division: String): MembersState = try {
        val members = client.members(panelId, where = field("Division") isEqualTo division)
        MembersState.Shown(members.map { it["FirstName"]?.text ?: "?" }.toList())
    } catch (error: SondageException) {
        MembersState.Failed(error.message, error.safeToRetry)
    }
}

fun main(): Unit = runBlocking {
    Sandbox.demo().use { box ->
        val model = MembersModel(box.client(), box.panelId, this)
        model.search("Research").join()
        println("shown: ${(model.state.value as MembersState.Shown).names.size}")

        box.fault(Fault("ReadMemberList", FaultAction.Status(403)))
        model.search("Research").join()
        println("failed, and a button to try again: ${(model.state.value as MembersState.Failed).canRetry}")
    }
}
