import type { DeliveriesMethods, SandboxMethods } from './bases.js';
import type { BlockingClient } from './blocking_client.js';
import type { ClientOptions } from './calls.js';
import type { Client } from './client.js';
import type { Cause, SandboxOptions } from './described.js';
import type { Arrival, Attempt, SandboxEffect, SandboxFacts, TokenRequest } from './ledger.js';
import type { Settings } from './settings.js';
import type { Int, JsonValue } from './values.js';

export type { Cause, DeliveryAction, DeliveryFault, Fault, FaultAction, SandboxOptions } from './described.js';

/** The requests that arrived, and which took effect. After a cut connection the two may differ. */
export interface Ledger {
  /** The requests, in order of arrival. */
  requests: Arrival[];
  /** What they changed, in order. */
  effects: SandboxEffect[];
  /** The requests for tokens, in order. */
  tokenRequests: TokenRequest[];
}

/** Deliveries to subscribers, made and pending. */
export interface Deliveries extends DeliveriesMethods {
  /** Every attempt, in order. */
  log(): Promise<Attempt[]>;
}

/** The data that a program needs to connect to a sandbox. */
export interface Sandbox extends SandboxFacts, SandboxMethods {}
/** A survey platform that runs in this process and listens on the loopback interface only: `await using` stops it. */
export declare class Sandbox {
  private constructor();
  /**
   * Starts one with the demo seed: invented people, and a real survey in the public domain. `{ content: 'waves' }` adds two waves of an
   * invented survey of library visitors; the newer one is `surveyId`, and `surveyIds` has both.
   */
  static demo(options?: SandboxOptions): Promise<Sandbox>;
  /**
   * Starts one with rows as a survey of completed interviews, which is `surveyId`. The columns `Id`, `State`, `Language`, `StartDate`,
   * `EndDate` and `UpdatedAt` are those of the service.
   *
   * - `labels`: codes and their labels for single choices, by column: a `Map`, or an object where the order of its keys is right.
   * - `questions`: the text of a question where it is not the column's name.
   * - `name`: what the survey is called.
   */
  static fromRows(
    rows: Iterable<Record<string, unknown>>,
    options?: SandboxOptions & {
      labels?: Record<string, Map<number | string, string> | Record<string, string>>;
      questions?: Record<string, string>;
      name?: string;
    },
  ): Promise<Sandbox>;
  /** A client of the demo account. */
  client(options?: ClientOptions): Client;
  /** A blocking client of the demo account. */
  blockingClient(options?: Settings): BlockingClient;
  /** The requests and effects so far. */
  ledger(): Promise<Ledger>;
  /** The ids of the surveys of `content` and `surveys`, by their names, which are those of the files. */
  readonly surveyIds: Record<string, number>;
  /**
   * Invented people answer a published survey, unevenly, and within its conditions and ranges. Resolves to the ids of their
   * interviews.
   *
   * - `people`: 100 by default. Those who were invited and have not answered come first.
   * - `seed`: repeats the same interviews, for the same survey and time. Without it the ids cannot be guessed.
   * - `unfinished`: the share that stops early and stays `InProgress`, 0.05 by default.
   */
  fill(surveyId: Int, options?: { people?: number; seed?: number; unfinished?: number }): Promise<string[]>;
  /**
   * Adds an interview for each row: answers by the codes of the survey's columns, and the columns `State` (`Completed` by default) and
   * `Language`. Rejects without adding any if the survey does not accept one; the message names its row and column.
   * `changeProfile({ acceptedAnswers: 'any' })` stores everything.
   */
  answer(surveyId: Int, rows: Iterable<Record<string, JsonValue>>): Promise<string[]>;
  /**
   * Emits an event, which is delivered to its subscribers. `false` if there is no such interview, member or survey. Rejects if the
   * survey does not accept an answer, as `answer` does.
   */
  emit<Kind extends Cause['kind']>(kind: Kind, about: Omit<Extract<Cause, { kind: Kind }>, 'kind'>): Promise<boolean>;
  /** Changes the behaviour where nothing is published, for future calls. */
  changeProfile(changes: Record<string, JsonValue>): Promise<void>;
  /** Deliveries to subscribers of webhooks, made and pending. */
  readonly deliveries: Deliveries;
  [Symbol.dispose](): void;
  [Symbol.asyncDispose](): Promise<void>;
}
