// Types of the package. Those of operations, models, errors and settings are generated from the core's
// tables.
/// <reference types="node" />
export * from './types/blocking_client.js';
export * from './types/blocking_lists.js';
export * from './types/calls.js';
export * from './types/client.js';
export * from './types/comparisons.js';
export * from './types/condition.js';
export * from './types/error.js';
export * from './types/errors.js';
export * from './types/downloads.js';
export * from './types/rows.js';
export * from './types/ids.js';
export * from './types/keyring.js';
export * from './types/lists.js';
export * from './types/log.js';
export * from './types/options.js';
export * from './types/ledger.js';
export * from './types/login.js';
export * from './types/member.js';
export * from './types/models.js';
export * from './types/objects.js';
export * from './types/operations/index.js';
export * from './types/reports.js';
export * from './types/sandbox.js';
export * from './types/settings.js';
export * from './types/stores.js';
export * from './types/table.js';
export * from './types/values.js';
export * as questionnaire from './types/questionnaire_helpers.js';
export * as webhooks from './types/webhooks.js';
