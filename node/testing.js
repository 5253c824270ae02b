'use strict';
// For the tests of an application: a survey platform of its own for each test, closed after it.

const { Sandbox } = require('./lib/sandbox.js');

/** Runs work with a sandbox and a client of it. */
async function during(options, work) {
  const sandbox = await Sandbox.demo(options);
  const client = sandbox.client();
  try {
    return await work({ sandbox, client });
  } finally {
    // Calls that a test left in progress end with its sandbox.
    await client.close({ timeout: 0 });
    sandbox.stop();
  }
}

// Its `length` is 0: test runners pass a callback to a function that declares one parameter more than usual.
function withSandbox(...given) {
  const body = given.pop();
  return (...context) => during(given[0], (box) => body(box, ...context));
}

// Vitest and Playwright read from the source of a fixture which others it needs: it must destructure its first argument.
function fixtures(options) {
  return {
    sandbox: async ({}, use) => {
      await during(options, ({ sandbox }) => use(sandbox));
    },
    client: async ({ sandbox }, use) => {
      const client = sandbox.client();
      await use(client).finally(() => client.close({ timeout: 0 }));
    },
  };
}

exports.fixtures = fixtures;
exports.withSandbox = withSandbox;
