'use strict';

const { fileURLToPath } = require('node:url');

/** A path as text; a `file:` URL is accepted as well. */
const placeOf = (path) => (path instanceof URL ? fileURLToPath(path) : String(path));

exports.placeOf = placeOf;

/** The same for an optional path. */
exports.placeIf = (path) => (path == null ? path : placeOf(path));
