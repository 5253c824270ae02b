import type { BlockingClient } from './blocking_client.js';
import type { ClientOptions } from './calls.js';
import type { Client } from './client.js';
import type { DeliveryMethods, SandboxMethods } from './described.js';
import type { Arrival, Attempt, SandboxEffect, SandboxFacts, TokenRequest } from './ledger.js';
import type { Settings } from './settings.js';
import type { Int, JsonValue } from './values.js';

/** The initial state of a sandbox. */
export interface SandboxOptions {
  /** The behaviour where nothing is published, by the names of the settings: `{ firstPage: 0 }`. */
  profile?: Record<string, JsonValue> | undefined;
  /** Another seed generates other people and GUIDs. */
  seed?: number | undefined;
  /** A fixed port. Default: free ones. */
  port?: number | undefined;
  /** The id of the first member. An id above 2^53 shows which clients lose digits. */
  firstMemberId?: Int | undefined;
  /** Generated members to add to the demo's panel. */
  extraMembers?: number | undefined;
  /** Adds a generated survey with this many interviews; see `generatedSurveyId`. */
  generatedInterviews?: number | undefined;
  /** How many questions that survey has. */
  generatedQuestions?: number | undefined;
  /** A CSV file of yours, with a line per interview: it becomes a survey (`dataSurveyId`). */
  data?: string | undefined;
  /** The code plan of its columns, as JSON: `codePlan` of a response, or the whole response. */
  codePlan?: string | undefined;
}

/** What a fault does. */
export type FaultAction =
  | { kind: 'delay' | 'stall' | 'truncatedJson' | 'garbage' | 'garbageBody' | 'html' | 'text' | 'gzipBomb' }
  | { kind: 'brokenGzip' | 'repeatPage' | 'noEnvelope' | 'unknownFields' | 'unknownEnums' }
  | { kind: 'status'; status: number; headers?: Record<string, string>; body?: string }
  | { kind: 'cut'; at: 'beforeRequest' | 'afterEffect' | 'midAnswer'; reset?: boolean }
  | { kind: 'totalCount'; value: number }
  | { kind: 'notSuccess'; errorCode: string; errorMessage: string }
  | { kind: 'body'; text: string };

/** A fault, and the calls that it hits. */
export interface Fault {
  /** The operation that it hits: its name in the API, `token`, a path, `*` for every call, or `connection`. */
  on: string;
  /** How many matching calls pass unaffected before the first is hit. */
  skip?: number;
  /** How many calls are hit; `null` means every one. Default: 1. */
  times?: number | null;
  /** Milliseconds to wait before anything else happens. */
  delayMs?: number;
  /** Whether the call takes effect, contrary to its response. */
  afterEffect?: boolean;
  /** What happens. */
  action?: FaultAction;
}

/** The requests that arrived, and which took effect. After a cut connection the two may differ. */
export interface Ledger {
  /** The requests, in order of arrival. */
  requests: Arrival[];
  /** What they changed, in order. */
  effects: SandboxEffect[];
  /** The requests for tokens, in order. */
  tokenRequests: TokenRequest[];
}

/** What a fault does to an event for a subscriber. */
export interface DeliveryFault {
  /** The event type that it hits. Default: all. */
  on?: string;
  /** Hits one of this many events. Default: each. */
  every?: number;
  /** How many events are hit. Default: no limit. */
  times?: number;
  /** Sent several times, sent after the next one, sent later by the sandbox's clock, or never sent. */
  action: { kind: 'duplicate'; copies: number } | { kind: 'reorder' } | { kind: 'delay'; seconds: number } | { kind: 'silence' };
}

/** Deliveries to subscribers, made and pending. */
export interface Deliveries extends DeliveryMethods {
  /** Every attempt, in order. */
  log(): Promise<Attempt[]>;
  /** Events that have been neither delivered nor given up. */
  pending(): Promise<number>;
}

/** The data that a program needs to connect to a sandbox. */
export interface Sandbox extends SandboxFacts, SandboxMethods {}
/** A survey platform that runs in this process and listens on the loopback interface only: `await using` stops it. */
export declare class Sandbox {
  private constructor();
  /** Starts one with the demo seed: invented people, and a real survey in the public domain. */
  static demo(options?: SandboxOptions): Promise<Sandbox>;
  /** A client of the demo account. */
  client(options?: ClientOptions): Client;
  /** A blocking client of the demo account. */
  blockingClient(options?: Settings): BlockingClient;
  /** The requests and effects so far. */
  ledger(): Promise<Ledger>;
  /**
   * Emits an event, which is delivered to its subscribers. `false` if there is no such interview, member or survey.
   */
  emit(kind: 'complete', about: { id: string; answers?: Record<string, JsonValue> }): Promise<boolean>;
  emit(kind: 'bounce' | 'optOut' | 'optIn' | 'removeMember', about: { memberId: number }): Promise<boolean>;
  emit(kind: 'updateMember', about: { memberId: number; fields?: Record<string, JsonValue> }): Promise<boolean>;
  emit(kind: 'fill', about: { surveyId: number; people: number }): Promise<boolean>;
  emit(kind: 'closeSurvey' | 'requestApproval' | 'approve', about: { surveyId: number }): Promise<boolean>;
  /** Any event with any entity, without a change of state. */
  emit(kind: 'event', about: { eventType: string; entityIdentifier?: number; entity?: JsonValue }): Promise<boolean>;
  /** Deliveries to subscribers of webhooks, made and pending. */
  readonly deliveries: Deliveries;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}
