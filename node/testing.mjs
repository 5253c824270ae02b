// The same for `import`.
import testing from './testing.js';

export const { fixtures, withSandbox } = testing;
