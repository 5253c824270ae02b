// The same for `import`.
import diagnostics from './diagnostics.js';

export const { publish } = diagnostics;
