// The same for `import`.
export * from './opentelemetry.js';
