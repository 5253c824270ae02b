// The same for `import`.
export * from './testing.js';
