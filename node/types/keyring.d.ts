import type { TokenStore } from './stores.js';

/**
 * Keeps tokens in the keyring of the system, by `@napi-rs/keyring`: `npm install @napi-rs/keyring`. Pass it as `tokenStore`.
 * Where there is none, tokens stay in memory.
 */
export declare class KeyringStore implements TokenStore {
  /** The keyring lists the tokens below `service`. Default: `sondage`. */
  constructor(options?: { service?: string | undefined });
  load(key: string): Promise<string | null | undefined>;
  save(key: string, tokens: string): Promise<void>;
  forget(key: string): Promise<void>;
}
