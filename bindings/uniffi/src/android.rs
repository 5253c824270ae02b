//! Lets Android judge certificates, once the app has started.

use jni::errors::{Error, ThrowRuntimeExAndDefault};
use jni::objects::{JClass, JObject};
use jni::{Env, EnvUnowned};

/// The native method of `sondage.android.DeviceCertificates`. Clients created afterwards trust what the device trusts. An error
/// becomes an exception, and then the bundled roots stay in use.
#[unsafe(no_mangle)]
pub extern "system" fn Java_sondage_android_DeviceCertificates_initialise<'local>(
    mut env: EnvUnowned<'local>,
    _class: JClass<'local>,
    context: JObject<'local>,
) {
    let begin = |env: &mut Env<'local>| -> Result<(), Error> {
        rustls_platform_verifier::android::init_with_env(env, context)?;
        sondage::config::android_verifier_is_initialised();
        Ok(())
    };
    env.with_env(begin).resolve::<ThrowRuntimeExAndDefault>();
}
