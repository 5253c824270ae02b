// A person logs in on Android: a Custom Tab shows the service's page, and the browser returns to this activity.
package com.example.app

import android.app.Activity
import android.content.Intent
import android.net.Uri
import android.os.Bundle
import kotlinx.coroutines.MainScope
import kotlinx.coroutines.cancel
import kotlinx.coroutines.launch
import sondage.Client
import sondage.Login
import sondage.Settings
import sondage.SondageException
import sondage.android.KeystoreTokenStore

/**
 * In the manifest: `android:launchMode="singleTask"`, and an intent filter with the action `VIEW`, the categories `DEFAULT` and
 * `BROWSABLE`, and the scheme `com.example.app`.
 */
class LoginActivity : Activity() {
    private val scope = MainScope()
    private lateinit var login: Login

    override fun onCreate(saved: Bundle?) {
        super.onCreate(saved)
        scope.launch {
            try {
                show(known())
            } catch (error: SondageException.Authentication) {
                logIn()
            } catch (error: SondageException) {
                title = error.message
            }
        }
    }

    private fun logIn() {
        val settings = Settings(account = "https://acme.survalyzer-eu.app", identity = "ada")
        login = Login(settings, redirect = "com.example.app:/back", tokenStore = KeystoreTokenStore(this))
        val browser = Intent(Intent.ACTION_VIEW, Uri.parse(login.url()))
        // This extra makes it a Custom Tab where the browser has them, without a library.
        browser.putExtras(Bundle().apply { putBinder("android.support.customtabs.extra.SESSION", null) })
        startActivity(browser)
    }

    /** A client with the session that is in the store. */
    private fun known(): Client {
        val settings = Settings(account = "https://acme.survalyzer-eu.app", identity = "ada", grant = Grant.LOGIN)
        return Client.configured(settings, tokenStore = KeystoreTokenStore(this))
    }

    override fun onNewIntent(intent: Intent) {
        super.onNewIntent(intent)
        val address = intent.dataString ?: return
        scope.launch {
            try {
                show(login.paste(address))
            } catch (error: SondageException) {
                // The person refused, or the response belongs to another login: nothing was changed.
                finish()
            }
        }
    }

    override fun onDestroy() {
        scope.cancel()
        super.onDestroy()
    }

    private suspend fun show(client: Client) {
        title = client.readWorkspaceList().workspaces.joinToString { it.name.orEmpty() }
    }
}
