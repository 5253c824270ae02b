// Helpers that several tests share.

import { spawn } from 'node:child_process';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Sandbox } from 'sondage';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A sandbox for the tests of one file. */
export async function sandbox(options) {
  const box = await Sandbox.demo(options);
  after(() => box.stop());
  return box;
}

/** The error with which a promise or a function fails. */
export async function failure(work) {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

/** Milliseconds after which a test gives up waiting for what must happen: far above what a slow machine needs. No test measures speed. */
export const DEADLINE = 300_000;

/** Runs a program in a separate Node.js process, and returns how it ended. */
export function run(code, { type = 'module', options = [] } = {}) {
  return node([...options, `--input-type=${type}`, '--eval', code]);
}

/** Runs Node.js. `env`: variables in addition to those of this process. */
export function node(given, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, given, { cwd: ROOT, timeout: DEADLINE, env: { ...process.env, ...env } });
    const result = { stdout: '', stderr: '' };
    child.stdout.on('data', (text) => (result.stdout += text));
    child.stderr.on('data', (text) => (result.stderr += text));
    child.on('close', (status, signal) => resolve({ ...result, status, signal }));
  });
}

export const sleep = (millis) => new Promise((resolve) => setTimeout(resolve, millis));

/** Waits until something holds. */
export async function until(holds) {
  const end = performance.now() + DEADLINE;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('the condition was never met');
    await sleep(10);
  }
}
