// The ES module.
import diagnostics from './diagnostics.js';

export const { publish } = diagnostics;
