package sondage

import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import java.io.ByteArrayOutputStream
import java.io.File
import java.io.PrintStream

/** Mistakes that the compiler finds: `src/refused/Refused.kt` marks each line that it must refuse. */
class RefusedTest {
    @Test
    fun `the compiler refuses what is wrong, and nothing else`(@TempDir folder: File) {
        val file = File("src/refused/Refused.kt")
        val said = ByteArrayOutputStream()
        val options = arrayOf("-no-stdlib", "-no-reflect", "-classpath", System.getProperty("java.class.path"), "-d", folder.path)
        K2JVMCompiler().exec(PrintStream(said), *options, file.path)
        val errors = Regex("""Refused\.kt:(\d+):\d+: error""").findAll("$said").map { it.groupValues[1].toInt() }.toSet()
        val lines = file.readLines().withIndex().filter { "// refused" in it.value }.map { it.index + 1 }.toSet()
        assertTrue(lines.size > 15)
        assertEquals(lines, errors, "$said")
    }
}
