// The ES module.
import opentelemetry from './opentelemetry.js';

export const { instrument, Instrumentation } = opentelemetry;
