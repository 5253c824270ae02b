// The compiled rules for Cloudflare Workers, which compile nothing at run time.
import module from './webhooks.wasm';

export const compiled = () => module;
