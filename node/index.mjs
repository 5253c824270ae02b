// What `import 'sondage'` finds: the classes of `index.js`.
export * from './lib/blocking_client.js';
export * from './lib/blocking_lists.js';
export * from './lib/client.js';
export * from './lib/condition.js';
export { SondageError } from './lib/error.js';
export * from './lib/errors.js';
export * from './lib/ids.js';
export * from './lib/keyring.js';
export * from './lib/lists.js';
export * from './lib/log.js';
export * from './lib/login.js';
export * from './lib/member.js';
export * from './lib/objects.js';
export * from './lib/sandbox.js';
export * from './lib/table.js';
export { default as questionnaire } from './lib/questionnaire.js';
export { default as webhooks } from './lib/webhooks.js';
