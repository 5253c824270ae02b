// The same for `import`.
export * from './diagnostics.js';
