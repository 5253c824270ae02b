// The same for `import`.
export * from './index.js';
