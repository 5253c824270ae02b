'use strict';

const { fileURLToPath } = require('node:url');

/** A path, also of a `file:` URL. */
const placeOf = (path) => (path instanceof URL ? fileURLToPath(path) : String(path));

exports.placeOf = placeOf;

/** The same, of one that may be left out. */
exports.placeIf = (path) => (path == null ? path : placeOf(path));
