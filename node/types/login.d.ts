import type { LoginMethods } from './bases.js';
import type { Client } from './client.js';
import type { Settings } from './settings.js';

/** What a login begins with. */
export interface LoginOptions extends Settings {
  /**
   * The redirect address, exactly as it is registered for the client. Without one the browser comes back to this program,
   * on a free port of this machine.
   */
  redirect?: string | undefined;
}

/**
 * A person's login (authorization code) under way: show `url` to the person, then `listen()` for the browser, or `paste()`
 * where it ended up: a server hands over the address of the request that came to its redirect address. Where several people
 * log in, give each login its own `identity`: a later client finds the person's tokens in `tokenFile` by it.
 */
export interface Login extends LoginMethods {}
export declare class Login {
  /** Prepares a login. Nothing is sent. */
  constructor(options?: LoginOptions);
  /** Waits until the browser comes back, and gives the client. */
  listen(options?: { signal?: AbortSignal | undefined }): Promise<Client>;
  /** Takes the address at which the browser ended up, and returns the client. */
  paste(address: string, options?: { signal?: AbortSignal | undefined }): Promise<Client>;
}
