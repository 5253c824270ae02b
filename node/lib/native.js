'use strict';
// The native addon, from the package for this platform.

const { name, packages } = require('./platforms.js');

function load() {
  const supported = Object.keys(packages).join(', ');
  if (!packages[name]) throw new Error(`sondage has no compiled part for ${name}. There is one for ${supported}.`);
  try {
    return packages[name]();
  } catch (error) {
    const wanted = `@sondage/${name}`;
    if (error.code !== 'MODULE_NOT_FOUND' || !error.message.includes(wanted)) throw error;
    const { version } = require('../package.json');
    const why =
      'An installation without optional dependencies leaves it out, and so does one that was made on another platform.';
    throw new Error(
      `sondage's compiled part for ${name} is not installed. ${why} Install it with: npm install ${wanted}@${version}`,
      { cause: error },
    );
  }
}

module.exports = load();
