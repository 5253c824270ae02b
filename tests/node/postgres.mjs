// A server of PostgreSQL for tests: in a temporary folder, on loopback, as a user that may not do everything.

import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The folder of its programs: Debian keeps one for each version. */
async function programs() {
  try {
    const versions = await readdir('/usr/lib/postgresql');
    return `/usr/lib/postgresql/${versions.sort((a, b) => b - a)[0]}/bin`;
  } catch {
    return undefined;
  }
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Starts it in a folder; nothing if it is not installed. */
export async function postgres(parent) {
  const bin = await programs();
  if (bin === undefined) return undefined;
  const folder = join(parent, 'postgres');
  await mkdir(folder);
  const isRoot = process.getuid() === 0;
  if (isRoot) {
    // It refuses to run as root.
    const [user, group] = await Promise.all(['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)));
    await chown(folder, user, group);
    await chmod(parent, 0o711);
  }
  const perform = (...command) =>
    isRoot ? run('runuser', ['-u', 'postgres', '--', ...command], { cwd: folder }) : run(command[0], command.slice(1), { cwd: folder });
  const data = join(folder, 'data');
  await perform(`${bin}/initdb`, '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
  const port = await freePort();
  const options = `-h 127.0.0.1 -p ${port} -k ${folder}`;
  await perform(`${bin}/pg_ctl`, '-D', data, '-w', '-l', join(folder, 'log'), '-o', options, 'start');
  return {
    address: { host: '127.0.0.1', port, user: 'postgres', database: 'postgres' },
    stop: () => perform(`${bin}/pg_ctl`, '-D', data, '-m', 'immediate', 'stop'),
  };
}
