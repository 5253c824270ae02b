// The compiled rules for the edge runtime of Vercel, which compiles nothing at run time.
import module from './webhooks.wasm?module';

export const compiled = () => module;
