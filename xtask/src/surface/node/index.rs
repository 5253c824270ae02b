//! What the package exports: to `require`, to `import`, and as types.

use crate::surface::prelude::*;

/// Files of which everything is exported.
const MODULES: &str = "blocking_client blocking_lists client condition erase errors ids keyring lists log login member objects sandbox table";

/// Files of types that have no code, or of whose code only a part is exported.
const TYPES: &str = "calls comparisons downloads error ledger models operations/index options pictures reports rows settings stores values";

pub fn files() -> [Generated; 3] {
    let each = |names: &str, line: &str| -> String {
        names.split(' ').map(|name| line.replace('$', name) + "\n").collect()
    };
    let code = format!(
        "'use strict';\n// `index.mjs` exports the same classes, so `instanceof` works across the two.\nmodule.exports = {{\n{}  \
         SondageError: require('./lib/error.js').SondageError,\n  questionnaire: require('./lib/questionnaire.js'),\n  \
         webhooks: require('./lib/webhooks.js'),\n}};\n",
        each(MODULES, "  ...require('./lib/$.js'),")
    );
    let module = each(MODULES, "export * from './lib/$.js';")
        + "export { SondageError } from './lib/error.js';\nexport { default as questionnaire } from './lib/questionnaire.js';\n\
           export { default as webhooks } from './lib/webhooks.js';\n";
    let types = "/// <reference types=\"node\" />\n".to_owned()
        + &each(&format!("{MODULES} {TYPES}"), "export * from './types/$.js';")
        + "export * as questionnaire from './types/questionnaire_helpers.js';\nexport * as webhooks from './types/webhooks.js';\n";
    [("js", code), ("mjs", module), ("d.ts", types)].map(|(ending, text)| {
        generated(format!("node/index.{ending}"), "xtask/src/surface/node/index.rs", &text)
    })
}
