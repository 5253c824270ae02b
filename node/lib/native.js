'use strict';
// The compiled part. A file for each platform lies in the package: nothing is built or downloaded when it is installed.

const { platform, arch } = process;

function load() {
  const tried = [];
  for (const name of [`${platform}-${arch}`, `${platform}-${arch}-musl`]) {
    try {
      return require(`../sondage.${name}.node`);
    } catch (error) {
      tried.push(`${name}: ${error.message.split('\n')[0]}`);
    }
  }
  throw new Error(`sondage has no compiled part for this computer (${tried.join('; ')})`);
}

module.exports = load();
