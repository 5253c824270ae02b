// The ES module.
import testing from './testing.js';

export const { fixtures, withSandbox } = testing;
