// A person logs in on Android: a Custom Tab shows the service's page, and the browser returns to this activity.
package com.example.app

import android.app.Activity
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import android.util.Log
import kotlinx.coroutines.MainScope
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import sondage.Client
import sondage.Grant
import sondage.Login
import sondage.Secret
import sondage.Settings
import sondage.SondageException
import sondage.android.KeystoreTokenStore

/**
 * In the manifest: `android:launchMode="singleTask"`, and an intent filter with the action `VIEW`, the categories `DEFAULT` and
 * `BROWSABLE`, and the scheme `com.example.app`.
 */
class LoginActivity : Activity() {
    private val scope = MainScope()
    private val store by lazy { KeystoreTokenStore(this) }
    private val settings = Settings(account = "https://acme.survalyzer-eu.app", identity = "ada")

    override fun onCreate(state: Bundle?) {
        super.onCreate(state)
        // The system may have ended the app, or this activity, while the browser was in front.
        val address = intent.dataString
        if (address != null) return goOn(address)
        scope.launch {
            try {
                show(known())
            } catch (error: SondageException.Authentication) {
                // A recreated activity waits for the browser that the first one has opened.
                if (state == null) logIn()
            } catch (error: SondageException) {
                fail(error)
            }
        }
    }

    private fun logIn() {
        val login = Login(settings, redirect = "com.example.app:/back", tokenStore = store)
        store.save(PENDING, login.saved().reveal())
        val browser = Intent(Intent.ACTION_VIEW, Uri.parse(login.url()))
        // This extra makes it a Custom Tab where the browser has them, without a library.
        browser.putExtras(Bundle().apply { putBinder("android.support.customtabs.extra.SESSION", null) })
        startActivity(browser)
    }

    private fun goOn(address: String) {
        val saved = store.load(PENDING) ?: return finish()
        scope.launch {
            try {
                show(Login.resume(Secret(saved), settings, store).paste(address))
                store.forget(PENDING)
            } catch (error: SondageException) {
                // The person refused, or the response belongs to another login.
                fail(error)
            }
        }
    }

    /** A client with the session that is in the store. */
    private fun known(): Client {
        val settings = Settings(account = "https://acme.survalyzer-eu.app", identity = "ada", grant = Grant.LOGIN)
        return Client.configured(settings, tokenStore = KeystoreTokenStore(this))
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        intent.dataString?.let(::goOn)
    }

    override fun onDestroy() {
        scope.cancel()
        super.onDestroy()
    }

    /** The message is for developers. */
    private fun fail(error: SondageException) {
        Log.w("login", error.message)
        title = "The login failed"
    }

    private suspend fun show(client: Client) = client.use { title = it.readWorkspaceList().workspaces.joinToString { each -> each.name.orEmpty() } }

    private companion object {
        const val PENDING = "login"
    }
}
