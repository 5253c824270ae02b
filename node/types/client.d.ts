import type { ClientOptions, Config, RequestOf, ResponseOf } from './calls.js';
import type { List } from './lists.js';
import type { Methods } from './methods.js';
import type { Operations, PagedRows } from './operations/index.js';
import type { CallOptions, Response } from './values.js';

/**
 * A client of one account. Every operation of the API has a method that returns a promise of the response.
 *
 * Nothing is sent before the first call. A client without calls in progress does not keep the process alive.
 */
export declare class Client {
  /** A client with these settings; all others come from the environment and a profile file. */
  constructor(options?: ClientOptions);
  /** The settings. */
  readonly config: Config;
  /** The same client with other options for all calls that are made through the result. */
  withOptions(options: Omit<CallOptions, 'signal'>): Client;
  /** The rows of a complete list: `client.pages('readSurveyList', { workspaceId: 3 })`. */
  pages<Name extends keyof PagedRows>(
    operation: Name,
    request?: RequestOf<Operations[Name]>,
    options?: CallOptions,
  ): List<PagedRows[Name]>;
  /** Makes a call and returns its full response: `(await client.withResponse('readPanel', { panelId: 5
   * })).headers`. */
  withResponse<Name extends keyof Operations>(
    operation: Name,
    request?: RequestOf<Operations[Name]>,
    options?: CallOptions,
  ): Promise<Response<ResponseOf<Operations[Name]>>>;
  /** `await using` closes the client. */
  [Symbol.asyncDispose](): Promise<void>;
}
export interface Client extends Operations, Methods {}
