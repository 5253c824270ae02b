package sondage

/** The maximum number of exceptions that are kept. A call takes its cause immediately. */
private const val KEPT = 100

/** Encloses the number of an exception in a text for Rust. */
private const val MARK = '\u0001'

/** The latest exceptions of token providers. Rust refers to them by number. */
internal object Thrown {
    private var last = 0L
    private val kept = LinkedHashMap<Long, Throwable>()

    /** The text that Rust receives. */
    @Synchronized
    fun reason(thrown: Throwable): String {
        last += 1
        kept[last] = thrown
        if (kept.size > KEPT) kept.remove(kept.keys.first())
        val text = if (thrown is ProviderException) thrown.message else thrown.toString()
        return "$MARK$last$MARK$text"
    }

    @Synchronized
    fun find(number: Long): Throwable? = kept[number]
}
