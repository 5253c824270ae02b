//! Kotlin's builder of settings: by names, with the durations of Kotlin, and stable when a setting is added.

use crate::surface::prelude::*;

const HEAD: &str = "package sondage

import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * Settings by their names: `settings { account = address; deadline = 30.seconds }`. A program that is compiled with it
 * continues to run when the library gets more settings.
 */
public fun settings(choose: SettingsBuilder.() -> Unit): Settings = SettingsBuilder().apply(choose).made()

/** The settings that can be chosen: see [settings]. */
public class SettingsBuilder internal constructor() {
";

pub fn file() -> Generated {
    let (mut body, mut made) = (HEAD.to_owned(), String::new());
    for row in SETTINGS {
        let name = camel(row.name);
        let default = row.default.map(|value| format!("Default: {value}."));
        let docs: Vec<String> = paragraphs(row.docs).into_iter().chain(default).collect();
        put!(
            body,
            "{}    public var {name}: {}? = null\n\n",
            comment(&docs, 4),
            types::of_setting(row, types::KOTLIN)
        );
        let convert = if types::is_duration(row) { "?.toJavaDuration()" } else { "" };
        put!(made, "        {name} = {name}{convert},\n");
    }
    put!(body, "    internal fun made(): Settings = Settings(\n{made}    )\n}}\n");
    generated(
        "kotlin/src/main/kotlin/sondage/SettingsBuilder.kt",
        "crates/sondage/src/config/table.rs",
        &body,
    )
}
