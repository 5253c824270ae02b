package sondage.android

import android.content.Context
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyProperties
import android.util.Base64
import sondage.ProviderException
import sondage.TokenStore
import java.security.GeneralSecurityException
import java.security.KeyStore
import javax.crypto.Cipher
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import javax.crypto.spec.GCMParameterSpec

/**
 * Stores tokens in the private preferences of the app, encrypted with a key of the Android Keystore that never leaves the
 * device.
 *
 * Exclude the preferences from backups: the key is not part of them, so a restored entry cannot be read. Such an entry is
 * removed, and the person logs in again.
 *
 * - [context]: any context of the app.
 * - [name]: the name of the preferences and of the key.
 */
public class KeystoreTokenStore(context: Context, private val name: String = "sondage") : TokenStore {
    private val preferences = context.applicationContext.getSharedPreferences(name, Context.MODE_PRIVATE)

    override fun load(key: String): String? {
        val stored = preferences.getString(key, null) ?: return null
        return try {
            val bytes = Base64.decode(stored, Base64.NO_WRAP)
            val cipher = cipher(Cipher.DECRYPT_MODE, GCMParameterSpec(TAG_BITS, bytes, 0, NONCE_BYTES), key)
            String(cipher.doFinal(bytes, NONCE_BYTES, bytes.size - NONCE_BYTES), Charsets.UTF_8)
        } catch (_: GeneralSecurityException) {
            forget(key)
            null
        } catch (_: IllegalArgumentException) {
            forget(key)
            null
        }
    }

    override fun save(key: String, tokens: String) {
        try {
            val cipher = cipher(Cipher.ENCRYPT_MODE, null, key)
            val bytes = cipher.iv + cipher.doFinal(tokens.toByteArray())
            write { putString(key, Base64.encodeToString(bytes, Base64.NO_WRAP)) }
        } catch (error: GeneralSecurityException) {
            throw ProviderException.Failed("the Android Keystore cannot encrypt the tokens ($error)")
        }
    }

    override fun forget(key: String) {
        write { remove(key) }
    }

    private fun write(change: android.content.SharedPreferences.Editor.() -> Unit) {
        if (!preferences.edit().apply(change).commit()) {
            throw ProviderException.Failed("the preferences of the app cannot be written")
        }
    }

    /** An entry is bound to its key: it cannot be read under another one. */
    private fun cipher(mode: Int, parameters: GCMParameterSpec?, entry: String): Cipher {
        val cipher = Cipher.getInstance("AES/GCM/NoPadding")
        if (parameters == null) cipher.init(mode, secret()) else cipher.init(mode, secret(), parameters)
        cipher.updateAAD(entry.toByteArray())
        return cipher
    }

    @Synchronized
    private fun secret(): SecretKey {
        val keys = KeyStore.getInstance(KEYSTORE).apply { load(null) }
        (keys.getKey(name, null) as? SecretKey)?.let { return it }
        val use = KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT
        val spec =
            KeyGenParameterSpec.Builder(name, use)
                .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
                .setKeySize(KEY_BITS)
                .build()
        return KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, KEYSTORE).apply { init(spec) }.generateKey()
    }

    private companion object {
        const val KEYSTORE = "AndroidKeyStore"
        const val KEY_BITS = 256
        const val NONCE_BYTES = 12
        const val TAG_BITS = 128
    }
}
