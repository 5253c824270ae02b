import type { LoginMethods } from './bases.js';
import type { Settings } from './settings.js';

/** The settings of a login. */
export interface LoginOptions extends Settings {
  /**
   * The redirect address, exactly as it is registered for the client. Default: this program, on a free port of this
   * machine.
   */
  redirect?: string | undefined;
}

/**
 * A person's login (authorization code) in progress: show `url` to the person, then wait for the browser with `listen()`,
 * or pass the address at which it ended up to `paste()`; a server passes the address of the request to its redirect
 * address. If several people log in, give each login its own `identity`, by which a later client finds the person's tokens
 * in `tokenFile`.
 */
export interface Login extends LoginMethods {}
export declare class Login {
  /** Prepares a login. Nothing is sent. */
  constructor(options?: LoginOptions);
  /**
   * Goes on with a login that this or another process has begun. Nothing is sent.
   *
   * - `saved`: What `saved()` returned there.
   * - `options`: The settings of that login.
   */
  static resume(saved: string, options?: Settings): Login;
}
