'use strict';
// The module for `require('sondage')`. `index.mjs` exports the same classes, so `instanceof` works across the
// two.
module.exports = {
  ...require('./lib/blocking_client.js'),
  ...require('./lib/blocking_lists.js'),
  ...require('./lib/client.js'),
  ...require('./lib/condition.js'),
  SondageError: require('./lib/error.js').SondageError,
  ...require('./lib/errors.js'),
  ...require('./lib/ids.js'),
  ...require('./lib/keyring.js'),
  ...require('./lib/lists.js'),
  ...require('./lib/log.js'),
  ...require('./lib/login.js'),
  ...require('./lib/member.js'),
  ...require('./lib/objects.js'),
  ...require('./lib/sandbox.js'),
  ...require('./lib/table.js'),
  questionnaire: require('./lib/questionnaire.js'),
  webhooks: require('./lib/webhooks.js'),
};
