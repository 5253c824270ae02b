// A registry of npm on this machine, until it is ended: registry.mjs FOLDER TARBALL ...
//
// It asks no other registry, and whoever is on this machine may publish. It prints its address alone, once the tarballs are
// published.
// Newer versions of verdaccio need Node.js 22.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runServer } from 'verdaccio'

const [folder, ...tarballs] = process.argv.slice(2)
const registry = await runServer({
  self_path: folder,
  storage: join(folder, 'storage'),
  uplinks: {},
  max_body_size: '100mb',
  packages: { '**': { access: '$all', publish: '$all' } },
  logs: { type: 'stdout', format: 'pretty', level: 'fatal' },
})
await new Promise((resolve) => registry.listen(0, '127.0.0.1', resolve))
const address = `127.0.0.1:${registry.address().port}`
for (const tarball of tarballs) {
  // npm publishes only with a token. Any will do here.
  const options = ['--loglevel=error', '--registry', `http://${address}/`, `--//${address}/:_authToken=none`]
  await promisify(execFile)('npm', ['publish', ...options, tarball])
}
console.log(`http://${address}/`)
