package sondage

import java.io.Serializable
import java.nio.ByteBuffer

/** A record of the API, which can be written as JSON. Its companion has `fromJson`: `Member.fromJson(text)`. */
public interface JsonRecord : Serializable {
    /**
     * It as JSON, in the names of the API, with the fields and words that this version does not know. Secrets are left out:
     * `***`.
     */
    public fun toJson(): String
}

// A record crosses the boundary as uniffi writes it.

internal fun <Record> FfiConverterRustBuffer<Record>.written(name: String, record: Record): String {
    // The size is an upper limit.
    val bytes = ByteBuffer.allocate(Math.toIntExact(allocationSize(record).toLong()))
    write(record, bytes)
    return jsonOfRecord(name, bytes.array().copyOf(bytes.position()))
}

internal fun <Record> FfiConverterRustBuffer<Record>.read(name: String, text: String): Record =
    read(ByteBuffer.wrap(recordOfJson(name, text)))
