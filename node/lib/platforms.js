'use strict';
// The native addon is in a separate package for each platform, an optional dependency of this one, of which npm installs the
// one that fits. Each name is written in full, so that bundlers and tracers find it.

const { platform, arch } = process;

/** The C library of a Linux system: packages for both can be installed side by side, and loading the wrong
 * one can crash. */
function libc() {
  const report = process.report;
  const network = report.excludeNetwork;
  report.excludeNetwork = true; // Otherwise the names of all network peers are resolved.
  const { header } = report.getReport();
  report.excludeNetwork = network;
  // Node.js, Bun and Deno all tell the version of glibc; Bun lists no shared objects.
  return header.glibcVersionRuntime ? 'gnu' : 'musl';
}

/** The name of this platform. */
const name = platform === 'linux' ? `linux-${arch}-${libc()}` : platform === 'win32' ? `win32-${arch}-gnu` : `${platform}-${arch}`;

const packages = {
  'linux-x64-gnu': () => require('@sondage/linux-x64-gnu'),
  'linux-arm64-gnu': () => require('@sondage/linux-arm64-gnu'),
  'linux-x64-musl': () => require('@sondage/linux-x64-musl'),
  'win32-x64-gnu': () => require('@sondage/win32-x64-gnu'),
  'darwin-arm64': () => require('@sondage/darwin-arm64'),
  'darwin-x64': () => require('@sondage/darwin-x64'),
};

module.exports = { name, packages };
