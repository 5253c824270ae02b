// The same for `import`.
import opentelemetry from './opentelemetry.js';

export const { instrument, Instrumentation } = opentelemetry;
