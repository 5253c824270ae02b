'use strict';
// A sandbox in this process.

const { DeliveriesMethods, SandboxMethods } = require('./bases.js');
const { BlockingClient } = require('./blocking_client.js');
const { Client } = require('./client.js');
const { attempt, invalid, object, refuseUnknown } = require('./fail.js');
const { held } = require('./held.js');
const native = require('./native.js');

/** Deliveries to subscribers, made and pending. */
class Deliveries extends DeliveriesMethods {
  async log() {
    const attempts = attempt(() => held(this).native.method('attempts'));
    return attempts.map(({ at, next, ...attempt }) => ({ at: new Date(at), ...attempt, next: next && new Date(next) }));
  }
}

class Sandbox extends SandboxMethods {
  static async demo(settings = {}) {
    return new Sandbox(settings);
  }

  static async fromRows(rows, { labels = {}, questions = {}, name = 'Rows', ...settings } = {}) {
    return new Sandbox({ ...settings, frames: [{ name, columns: columnsOf([...rows], labels, questions) }] });
  }

  constructor(settings = {}) {
    const made = attempt(() => native.make('sandbox', settings));
    super(made);
    const { control_key: _, ...facts } = attempt(() => made.method('facts'));
    for (const [name, value] of Object.entries(facts)) this[camel(name)] = value;
    this.deliveries = new Deliveries(made);
    Object.freeze(this);
  }

  client(options = {}) {
    return new Client({ ...this.#settings(), ...object(options, 'options') });
  }

  blockingClient(options = {}) {
    return new BlockingClient({ ...this.#settings(), ...object(options, 'options') });
  }

  async ledger() {
    const all = (part) => attempt(() => held(this).native.method('ledger', { part, operation: '*' }));
    return { requests: all('requests'), effects: all('effects'), tokenRequests: all('tokens') };
  }

  async changeProfile(changes) {
    const { native } = held(this);
    attempt(() => native.method('setProfile', { ...native.method('profile'), ...object(changes, 'changes') }));
  }

  async fill(surveyId, { people = 100, seed, unfinished = 0.05, ...unknown } = {}) {
    refuseUnknown(unknown, 'people', 'seed', 'unfinished');
    return attempt(() => held(this).native.method('fill', { surveyId, people, seed, unfinished }));
  }

  async answer(surveyId, rows) {
    return attempt(() => held(this).native.method('answer', { surveyId, rows: [...rows] }));
  }

  async emit(kind, about = {}) {
    return attempt(() => held(this).native.method('emit', { ...object(about, 'about'), kind }));
  }

  [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
    this.stop();
  }

  async [Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')]() {
    this.stop();
  }

  #settings() {
    const { baseUrl, authUrl, tenant, clientSecret } = this;
    return { baseUrl, authUrl, tenant, clientSecret };
  }
}

/** The columns of rows, with their labels, as the sandbox takes them. */
function columnsOf(rows, labels, questions) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  for (const [what, given] of Object.entries({ labels, questions })) {
    const unknown = Object.keys(given).filter((name) => !names.includes(name));
    if (unknown.length > 0) throw invalid(`${what}: the rows have no column ${unknown.join(', ')}`);
  }
  const faults = names.flatMap((name) =>
    rows.flatMap((row, place) => {
      const fault = faultOf(row[name]);
      return fault === undefined ? [] : [`column ${JSON.stringify(name)}, row ${place}: ${fault}`];
    }),
  );
  const more = faults.length > NAMED ? `; and ${faults.length - NAMED} more` : '';
  if (faults.length > 0) throw invalid(faults.slice(0, NAMED).join('; ') + more);
  return names.map((name) => ({
    name,
    values: valuesOf(name, rows.map((row) => row[name])),
    labels: labels[name] instanceof Map ? [...labels[name]].map(([code, label]) => [String(code), label]) : Object.entries(labels[name] ?? {}),
    question: questions[name],
  }));
}

/** The columns of the service, whose times have a place on the platform. */
const SERVICE = new Set(['Id', 'State', 'Language', 'StartDate', 'EndDate', 'UpdatedAt']);

const MIDNIGHT = /T00:00:00\.000Z$/;

/** How many faults of rows are named. */
const NAMED = 20;

/** Why a value cannot be an answer, if it cannot. */
function faultOf(value) {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'this is no valid Date' : undefined;
  if (value instanceof Uint8Array) return 'bytes are no answer: decode them to a text';
  if (typeof value === 'object' && value !== null) return 'a number, a text or null is needed: give each part a column of its own';
  if (typeof value === 'string' && !value.isWellFormed()) return 'half of a surrogate pair is no text: replace it, for example by `text.toWellFormed()`';
  return undefined;
}

/** The values of a column as JSON has them. The platform has dates, but no times as answers. */
function valuesOf(name, values) {
  const isService = SERVICE.has(name);
  const hasTimes = values.some((value) => value instanceof Date && !MIDNIGHT.test(value.toISOString()));
  if (hasTimes && !isService) {
    const why = 'values of the type Date became texts: the platform has numbers, texts and dates';
    process.emitWarning(`${JSON.stringify(name)}: ${why}`, 'DataWarning');
  }
  const plain = (value) => {
    if (value === undefined || value === null || Number.isNaN(value)) return null;
    if (value instanceof Date) return hasTimes || isService ? value.toISOString() : value.toISOString().replace(MIDNIGHT, '');
    return typeof value === 'boolean' ? Number(value) : value;
  };
  return values.map(plain);
}

function camel(name) {
  return name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

exports.Sandbox = Sandbox;
