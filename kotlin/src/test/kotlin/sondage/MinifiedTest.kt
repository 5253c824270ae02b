package sondage

import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assertions.assertFalse
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.io.TempDir
import proguard.Configuration
import proguard.ConfigurationParser
import proguard.ProGuard
import java.io.File
import java.nio.file.Path
import java.util.Properties
import java.util.jar.JarFile

/** What R8 does to an app, done by ProGuard, which obeys the same rules. */
class MinifiedTest {
    private val classPath = System.getProperty("java.class.path").split(File.pathSeparator).map(::File)
    private val libraries = classPath.filter { file -> LIBRARIES.any { file.name.startsWith(it) } }

    @Test
    fun `a minified app works and writes no secret`(@TempDir folder: Path) {
        val app = folder.resolve("app.jar").toFile()
        minify(app)
        JarFile(app).use { jar -> assertFalse(jar.entries().asSequence().any { it.name == "sondage/Secret.class" }) }
        val box = Sandbox.shared
        val members = box.blockingClient().use { client -> client.members(box.panelId).count() }
        val lost = "This secret was serialised or written as JSON, which leaves its text out. Nothing was sent. " +
            "Store secrets where the system encrypts them, and put this one in again with `copy`."
        val expected = listOf(
            "member: leaks false, $lost",
            "settings: leaks false, $lost",
            "kept: true",
            "members: $members",
            "error: ReadPanel, 404, true",
            "error kept: true",
            "logged: true",
        )
        assertEquals(expected, run(app, listOf(box.accountUrl, box.baseUrl, box.authUrl, box.token(), "${box.panelId}")))
    }

    /** With the rules of the package alone. Those that Android's build tools add keep more. */
    private fun minify(app: File) {
        val ours = classPath.filter { it.isDirectory && it.name == "classes" }.map { "-injars '$it'(sondage/**.class)" }
        val program = classPath.filter { it.isDirectory && it.name == "test-classes" }.map { "-injars '$it'(app/**.class)" }
        val java = File(System.getProperty("java.home"), "jmods/java.base.jmod")
        val rules =
            ours + program + libraries.map { "-libraryjars '$it'" } +
                listOf(
                    "-libraryjars '$java'(!**.jar;!module-info.class)",
                    "-outjars '$app'",
                    "-include '${File("src/android/proguard.txt").absolutePath}'",
                    "-keep class app.MinifiedKt { public static void main(java.lang.String[]); }",
                    "-allowaccessmodification -repackageclasses x -dontnote **",
                )
        val configuration = Configuration()
        ConfigurationParser(rules.joinToString("\n"), "rules", null, Properties()).use { it.parse(configuration) }
        ProGuard(configuration).execute()
    }

    private fun run(app: File, arguments: List<String>): List<String> {
        val native = File(System.getProperty("sondage.table")).resolveSibling("native")
        val java = ProcessHandle.current().info().command().get()
        val path = (listOf(app, native) + libraries).joinToString(File.pathSeparator)
        val process = ProcessBuilder(listOf(java, "-cp", path, "app.MinifiedKt") + arguments).redirectErrorStream(true).start()
        val lines = process.inputStream.bufferedReader().readLines()
        process.waitFor()
        return lines
    }

    private companion object {
        val LIBRARIES = listOf("kotlin-stdlib", "kotlinx-coroutines-core", "jna-", "annotations-")
    }
}
