'use strict';

const { fileURLToPath } = require('node:url');

/** A path as text, also of a `file:` URL. The core refuses anything else. */
const placeOf = (path) => (path instanceof URL ? fileURLToPath(path) : path);

exports.placeOf = placeOf;

/** The same for an optional path. */
exports.placeIf = (path) => (path == null ? path : placeOf(path));
