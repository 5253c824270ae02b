'use strict';

const { fileURLToPath } = require('node:url');

/** A path, also of a `file:` URL. */
exports.placeOf = (path) => (path instanceof URL ? fileURLToPath(path) : String(path));
