// A journal in a document that several processes use, like a row of a database that is locked while it is in use.

import { closeSync, existsSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';

export class DocumentJournal {
  #path;

  constructor(path) {
    this.#path = path;
  }

  get lines() {
    return existsSync(this.#path) ? JSON.parse(readFileSync(this.#path, 'utf8')) : [];
  }

  set lines(lines) {
    writeFileSync(this.#path, JSON.stringify(lines));
  }

  async open() {
    try {
      closeSync(openSync(`${this.#path}.lock`, 'wx'));
    } catch (error) {
      throw Object.assign(error, { code: 'EBUSY' });
    }
    return this.lines;
  }

  async append(lines) {
    this.lines = [...this.lines, ...lines];
  }

  async forgetLast() {
    this.lines = this.lines.slice(0, -1);
  }

  async clear() {
    this.lines = [];
  }

  async close() {
    unlinkSync(`${this.#path}.lock`);
  }
}
