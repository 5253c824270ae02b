package sondage

import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/** The rows of a list. Each collector reads the list again; reading stops when the collector stops. */
internal fun <Pages : AutoCloseable, Row> rowsOf(begin: () -> Pages, next: suspend (Pages) -> List<Row>?): Flow<Row> =
    flow {
        begin().use { pages ->
            while (true) {
                val page = next(pages) ?: break
                page.forEach { emit(it) }
            }
        }
    }

/** The rows of a list, blocking. Each iterator reads the list again. */
internal fun <Pages, Row> rowsInTurn(begin: () -> Pages, next: (Pages) -> List<Row>?): Sequence<Row> =
    sequence {
        val pages = begin()
        while (true) {
            yieldAll(next(pages) ?: break)
        }
    }
