import type { Event } from './types/webhook_entities.js';
import type { BearerOptions, RequestHeaders, SignedUrlOptions } from './types/webhooks.js';

export type { BearerOptions, Event, RequestHeaders, SignedUrlOptions };
export type * from './types/webhook_entities.js';

/** A webhook or a request is not what a function takes: the message says why, and contains no secret. */
export declare class InvalidArgument extends Error {
  static readonly code: 'InvalidArgument';
  readonly code: 'InvalidArgument';
}

/**
 * A request that is not a genuine event. Respond with `Refused.STATUS` and an empty body, whatever the reason, so
 * that a stranger learns nothing.
 */
export declare class Refused extends Error {
  /** The status of the response: 401 for every reason. */
  static readonly STATUS: 401;
  static readonly code: 'Refused';
  readonly code: 'Refused';
  /** The reason as a code, the same in every language. */
  readonly reason: string;
  /** The meaning, and what to do about it. */
  readonly explanation: string;
}

/** A webhook: which requests are accepted. Made by `obscureUrl`, `basic`, `bearer`, `signedUrl` or `fromJSON`. */
export declare class Hook {
  private constructor();
  /** The name of the strategy. */
  readonly strategy: 'obscureUrl' | 'basic' | 'bearer' | 'signedUrl';
  /** The maximum size of a body in bytes. */
  readonly largestBody: number;
  /** Reads the body of a `Request` while it arrives. It stops at one byte more than `largestBody`, which `verify` refuses. */
  read(from: Request | ReadableStream<Uint8Array>): Promise<Uint8Array>;
  /** Verifies a request, and returns its event or throws `Refused`. The same as `webhooks` of the package itself. */
  verify(
    url: string | URL,
    headers: RequestHeaders,
    body: Uint8Array | ArrayBuffer | undefined,
    options?: { now?: Date | undefined },
  ): Event;
  /** The form for logs, which contains only the strategy. */
  toJSON(): { strategy: string };
}

/** An unguessable address, whose end is the secret. */
export declare function obscureUrl(secret: string): Hook;
/** User name and password. */
export declare function basic(user: string, password: string): Hook;
/** A long-lived token, signed with HS256. */
export declare function bearer(key: string, audience: string, options?: BearerOptions): Hook;
/** A signed address. */
export declare function signedUrl(key: string, options?: SignedUrlOptions & { resource?: string | undefined }): Hook;
/** An address that is signed by the rules of Azure for a blob. */
export declare function azureSignedUrl(key: string, resource: string, options?: SignedUrlOptions): Hook;
/** A webhook from stored data: what `settingsWithSecrets` of a hook of the package itself has returned. */
export declare function fromJSON(settings: { readonly [name: string]: unknown }): Hook;
