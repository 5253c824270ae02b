package sondage.android

import android.content.ContentProvider
import android.content.ContentValues
import android.content.Context
import android.database.Cursor
import android.net.Uri
import android.util.Log

/**
 * Makes clients trust the certificate authorities that the device trusts, including those installed by its owner or by a
 * company. Android creates it before the app's own code runs, because `AndroidManifest.xml` names it.
 *
 * The app must contain the classes of `org.rustls:rustls-platform-verifier`. Without them, or if an error occurs, clients trust
 * Mozilla's authorities, which are part of the library.
 */
public class DeviceCertificates : ContentProvider() {
    /** Runs once, when the app starts. */
    override fun onCreate(): Boolean {
        context?.let(::use)
        return true
    }

    private fun use(context: Context) {
        try {
            Class.forName("org.rustls.platformverifier.CertificateVerifier", false, context.classLoader)
            System.loadLibrary("sondage_mobile")
            initialise(context)
        } catch (_: ClassNotFoundException) {
            // The app has chosen Mozilla's authorities.
        } catch (error: LinkageError) {
            Log.w(TAG, "Mozilla's certificate authorities are used, because the library cannot be loaded", error)
        } catch (error: RuntimeException) {
            Log.w(TAG, "Mozilla's certificate authorities are used, because Android's cannot be", error)
        }
    }

    private external fun initialise(context: Context)

    /** There is no data: returns null. */
    override fun query(uri: Uri, columns: Array<String>?, where: String?, values: Array<String>?, order: String?): Cursor? = null

    /** There is no data: returns null. */
    override fun getType(uri: Uri): String? = null

    /** There is no data: returns null. */
    override fun insert(uri: Uri, values: ContentValues?): Uri? = null

    /** There is no data: returns 0. */
    override fun delete(uri: Uri, where: String?, values: Array<String>?): Int = 0

    /** There is no data: returns 0. */
    override fun update(uri: Uri, changes: ContentValues?, where: String?, values: Array<String>?): Int = 0

    private companion object {
        const val TAG = "sondage"
    }
}
