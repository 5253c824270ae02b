package sondage.testing

import org.junit.jupiter.api.extension.AfterEachCallback
import org.junit.jupiter.api.extension.ExtensionContext
import org.junit.jupiter.api.extension.ExtensionContext.Namespace
import org.junit.jupiter.api.extension.ParameterContext
import org.junit.jupiter.api.extension.ParameterResolver
import sondage.Client

/**
 * For JUnit: a sandbox of its own for each test that has such a parameter, and a client of it. Both are closed after the test.
 *
 * ```
 * @ExtendWith(SandboxExtension::class)
 * class SignUpTest {
 *     @Test
 *     fun `a person signs up`(box: Sandbox, client: Client) = runBlocking { ... }
 * }
 * ```
 *
 * `@BeforeEach` and `@AfterEach` have the same ones as the test. A constructor and `@BeforeAll` cannot have them.
 */
public class SandboxExtension : ParameterResolver, AfterEachCallback {
    override fun supportsParameter(parameter: ParameterContext, test: ExtensionContext): Boolean =
        test.testMethod.isPresent && parameter.parameter.type in listOf(Sandbox::class.java, Client::class.java)

    override fun resolveParameter(parameter: ParameterContext, test: ExtensionContext): Any {
        val store = test.getStore(PLACE)
        val box = store.getOrComputeIfAbsent(BOX, { Sandbox.demo() }, Sandbox::class.java)
        if (parameter.parameter.type == Sandbox::class.java) return box
        return store.getOrComputeIfAbsent(CLIENT, { box.client() }, Client::class.java)
    }

    override fun afterEach(test: ExtensionContext) {
        val store = test.getStore(PLACE)
        store.remove(CLIENT, Client::class.java)?.close()
        store.remove(BOX, Sandbox::class.java)?.close()
    }

    private companion object {
        val PLACE: Namespace = Namespace.create(SandboxExtension::class.java)
        const val BOX = "sandbox"
        const val CLIENT = "client"
    }
}
