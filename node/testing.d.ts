import type { Client, Sandbox, SandboxOptions } from './index.js';

/** A survey platform of its own for one test, and a client of it. Both are closed after the test. */
export interface SandboxAndClient {
  readonly sandbox: Sandbox;
  readonly client: Client;
}

/**
 * The body of a test, for `node:test`, Vitest, Jest and Mocha: `test('signs up', withSandbox(async ({ sandbox, client }) => { ...
 * }))`. The runner's own arguments follow.
 */
export declare function withSandbox<Context extends unknown[]>(
  body: (box: SandboxAndClient, ...context: Context) => unknown,
): (...context: Context) => Promise<void>;
export declare function withSandbox<Context extends unknown[]>(
  options: SandboxOptions,
  body: (box: SandboxAndClient, ...context: Context) => unknown,
): (...context: Context) => Promise<void>;

/** Fixtures for Vitest and Playwright: `const test = base.extend(fixtures())`, then `test('signs up', async ({ client }) => { ... })`. */
export declare function fixtures(options?: SandboxOptions): {
  sandbox: (context: {}, use: (sandbox: Sandbox) => Promise<void>) => Promise<void>;
  client: (context: { sandbox: Sandbox }, use: (client: Client) => Promise<void>) => Promise<void>;
};
