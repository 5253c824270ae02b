import type { BlockingClient, Client, ClientOptions } from './client.js';
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

/** A request that reached the sandbox. */
export interface Arrival {
  /** When, by the sandbox's clock. */
  at: string;
  /** The data center that was addressed. */
  dataCenter: string;
  /** The operation's name; `token`, `authorize` or `jwks` for the authentication server. */
  operation: string;
  /** The path that was addressed. */
  path: string;
  /** The tenant of the bearer, once it is known to be good. */
  tenant: string | null;
  /** Bytes of the body that arrived. */
  bytes: number;
  /** Whether the body arrived whole. Only then can the request have had an effect. */
  whole: boolean;
  /** The status of the answer; `null` when the connection was cut instead. */
  status: number | null;
  /** The beginning of a digest of the bearer: tells whether two requests carried the same token. */
  bearer: string | null;
}

/** Something that a request changed in the sandbox. */
export interface SandboxEffect {
  /** When, by the sandbox's clock. */
  at: string;
  /** The operation that did it. */
  operation: string;
  /** The tenant in which it happened. */
  tenant: string;
  /** What happened, for example `MembersCreated` or `MessagesSent`. */
  kind: string;
  /** How many: members created, mails sent, ... */
  count: number;
  /** The members, interviews, ... by their ids. */
  ids: string[];
}

/** The requests that arrived, and which took effect. After a cut connection the two may differ. */
export interface Ledger {
  /** The requests, in order of arrival. */
  requests: Arrival[];
  /** What they changed, in order. */
  effects: SandboxEffect[];
  /** The requests for tokens, in order. */
  tokenRequests: { at: string; grant: string; clientId: string; error: string | null }[];
}

/** An attempt to tell a subscriber of an event. */
export interface Attempt {
  /** When, by the sandbox's clock. */
  at: Date;
  /** Number of the event, the same for each of its attempts and copies. */
  event: number;
  /** The registration. */
  webHookId: string;
  /** The account. */
  tenant: string;
  /** The event type. */
  eventType: string;
  /** The host that was called. */
  to: string;
  /** Which attempt it was, from 1. */
  attempt: number;
  /** How it went. `notSent`: the address leads beyond this machine. `silent`: a fault. `gone`: the registration is. */
  outcome: 'delivered' | 'refused' | 'failed' | 'silent' | 'notSent' | 'gone';
  /** The status of the answer, if there was one. */
  status: number | null;
  /** When the next attempt is due, if there is one. */
  next: Date | null;
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
  /** Events that have not been delivered and not been given up. */
  pending(): Promise<number>;
  /** Applies this fault to coming events. */
  fault(fault: DeliveryFault): Promise<void>;
  /** Takes all faults away and forgets the log. */
  clear(): Promise<void>;
  /** Waits until every attempt that is due by now was made. `false` when that took longer than `timeout` milliseconds. */
  settle(options?: { timeout?: number }): Promise<boolean>;
  /** Lets time pass until every event was delivered or given up. `false` when that took longer. */
  drain(options?: { timeout?: number }): Promise<boolean>;
}

/** A survey platform that runs in this process and listens on the loopback interface only: `await using` stops it. */
export declare class Sandbox {
  private constructor();
  /** Starts one with the demo seed: invented people, and a real survey in the public domain. */
  static demo(options?: SandboxOptions): Promise<Sandbox>;
  /** The address of the public API. */
  readonly baseUrl: string;
  /** The address of the authentication server. */
  readonly authUrl: string;
  /** The data center. */
  readonly dataCenter: string;
  /** The name of the account. */
  readonly tenant: string;
  /** The client id. */
  readonly clientId: string;
  /** The secret of that client, new in each sandbox. */
  readonly clientSecret: string;
  /** A user who may do everything. */
  readonly username: string;
  /** That user's password, new in each sandbox. */
  readonly password: string;
  /** A user who may only read. The password is the same. */
  readonly reader: string;
  /** The panel `Newsletter readers`: 200 members. */
  readonly panelId: number;
  /** The panel `Customers`: 12 members, with mandatory and unique fields. */
  readonly customerPanelId: number;
  /** The American National Election Study 1996: 944 completed interviews. */
  readonly surveyId: number;
  /** The survey `Newsletter feedback`: 60 interviews in every state, with members behind them. */
  readonly feedbackSurveyId: number;
  /** The survey of `generatedInterviews`. */
  readonly generatedSurveyId: number | null;
  /** A message template for invitations. */
  readonly messageTemplateId: number;
  /** The workspace that holds the surveys. */
  readonly workspaceId: number;
  /** A client of the demo account. */
  client(options?: ClientOptions): Client;
  /** A client of the demo account that blocks the event loop. */
  blockingClient(options?: Settings): BlockingClient;
  /** Puts a fault in the way of coming calls. */
  fault(fault: Fault): Promise<void>;
  /** Takes all faults away. */
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
  /** Ends every token at once, as a service does after a breach. */
  revokeTokens(): Promise<void>;
  /** Stops it and waits until the ports are closed. */
  stop(): void;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}
