package sondage

/** How many exceptions are kept. A call reports its cause at once. */
private const val KEPT = 100

/** Encloses the number of an exception in a text for Rust. */
private const val MARK = '\u0001'

/** The last exceptions of token providers: Rust carries a number in their place. */
internal object Thrown {
    private var last = 0L
    private val kept = LinkedHashMap<Long, Throwable>()

    /** The text for Rust. */
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
