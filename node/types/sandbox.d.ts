import type { BlockingClient } from './blocking_client.js';
import type { ClientOptions } from './calls.js';
import type { Client } from './client.js';
import type { Arrival, Attempt, SandboxEffect, SandboxFacts, TokenRequest } from './ledger.js';
import type { Settings } from './settings.js';
import type { Int, JsonValue } from './values.js';

/** What a sandbox begins with. */
export interface SandboxOptions {
  /** How it behaves where nothing is published, by the names of its settings: `{ firstPage: 0 }`. */
  profile?: Record<string, JsonValue> | undefined;
  /** Another seed: other people, other GUIDs. */
  seed?: number | undefined;
  /** A fixed port. Without it, free ones are taken. */
  port?: number | undefined;
  /** The id of the first member: beyond 2^53 to see who loses digits. */
  firstMemberId?: Int | undefined;
  /** Generated members to add to the demo's panel. */
  extraMembers?: number | undefined;
  /** Adds a generated survey with so many interviews; see `generatedSurveyId`. */
  generatedInterviews?: number | undefined;
  /** How many questions that survey has. */
  generatedQuestions?: number | undefined;
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
  /** Calls that match and pass unharmed before the first is hit. */
  skip?: number;
  /** How many calls are hit; `null` means every one. Default: 1. */
  times?: number | null;
  /** Milliseconds to wait before anything else happens. */
  delayMs?: number;
  /** Whether the call takes effect although its answer does not say so. */
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

/** What a fault does to an event on its way to a subscriber. */
export interface DeliveryFault {
  /** The event type that it hits; all of them by default. */
  on?: string;
  /** Hits one of so many events. Default: each. */
  every?: number;
  /** How many events are hit; without it, it stays. */
  times?: number;
  /** Sent several times, sent after the next one, sent later by the sandbox's clock, or never. */
  action: { kind: 'duplicate'; copies: number } | { kind: 'reorder' } | { kind: 'delay'; seconds: number } | { kind: 'silence' };
}

/** What a sandbox has told its subscribers, and has yet to tell. */
export interface Deliveries {
  /** Every attempt, in order. */
  log(): Promise<Attempt[]>;
  /** Events that have been neither delivered nor given up. */
  pending(): Promise<number>;
  /** Applies this fault to future events. */
  fault(fault: DeliveryFault): Promise<void>;
  /** Removes all faults and clears the log. */
  clear(): Promise<void>;
  /** Waits until every attempt that is due by now was made. `false` when that took longer than `timeout` milliseconds. */
  settle(options?: { timeout?: number }): Promise<boolean>;
  /** Lets time pass until every event was delivered or given up. `false` when that took longer. */
  drain(options?: { timeout?: number }): Promise<boolean>;
}

/** What a program needs to connect to a sandbox. */
export interface Sandbox extends SandboxFacts {}
/** A survey platform that runs in this process and listens on the loopback interface only: `await using` stops it. */
export declare class Sandbox {
  private constructor();
  /** Starts one with the demo seed: invented people, and a real survey in the public domain. */
  static demo(options?: SandboxOptions): Promise<Sandbox>;
  /** A client of the demo account. */
  client(options?: ClientOptions): Client;
  /** A client of the demo account that blocks the event loop. */
  blockingClient(options?: Settings): BlockingClient;
  /** Injects a fault into future calls. */
  fault(fault: Fault): Promise<void>;
  /** Removes all faults. */
  clearFaults(): Promise<void>;
  /** What arrived and what took effect, up to now. */
  ledger(): Promise<Ledger>;
  /** Clears the ledger. */
  clearLedger(): Promise<void>;
  /** The sandbox's time. */
  now(): Promise<Date>;
  /** Lets time pass: a token's 30 minutes are over with one call. In whole seconds. */
  advance(seconds: number): Promise<void>;
  /** Sets the time; `null`: back to the computer's. */
  setTime(time: Date | null): Promise<void>;
  /** Changes how it behaves where nothing is published. */
  changeProfile(changes: Record<string, JsonValue>): Promise<void>;
  /**
   * Emits an event of the platform: it is delivered to the webhooks registered for it. `false` when there is no such
   interview, member or survey.
   */
  emit(kind: 'complete', about: { id: string; answers?: Record<string, JsonValue> }): Promise<boolean>;
  emit(kind: 'bounce' | 'optOut' | 'optIn' | 'removeMember', about: { memberId: number }): Promise<boolean>;
  emit(kind: 'updateMember', about: { memberId: number; fields?: Record<string, JsonValue> }): Promise<boolean>;
  emit(kind: 'fill', about: { surveyId: number; people: number }): Promise<boolean>;
  emit(kind: 'closeSurvey' | 'requestApproval' | 'approve', about: { surveyId: number }): Promise<boolean>;
  /** Any event with any entity, without anything having happened. */
  emit(kind: 'event', about: { eventType: string; entityIdentifier?: number; entity?: JsonValue }): Promise<boolean>;
  /** What it has told its subscribers. */
  readonly deliveries: Deliveries;
  /** Revokes every token immediately, as a service does after a breach. */
  revokeTokens(): Promise<void>;
  /** Stops it and waits until the ports are closed. */
  stop(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}
