import { appendFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import Database from 'better-sqlite3';
import pg from 'pg';

/**
 * Loaded into a service with `--import`: writes each statement that it runs to the file STATEMENTS_FILE, a
 * line each, before it is run. With STATEMENTS_THREADS, the number of the thread stands before it.
 */
const file = String(process.env['STATEMENTS_FILE']);
const prefix = process.env['STATEMENTS_THREADS'] === undefined ? '' : `${threadId} `;

/** @param {unknown} statement */
function note(statement) {
  if (typeof statement === 'string')
    appendFileSync(file, `${prefix}${statement.replaceAll(/\s+/g, ' ')}\n`);
}

/**
 * @param {{ [method: string]: any }} prototype
 * @param {string} method
 * @param {(self: any, first: any) => unknown} statementOf
 */
function watch(prototype, method, statementOf) {
  const original = prototype[method];
  prototype[method] = function (/** @type {unknown[]} */ ...values) {
    note(statementOf(this, values[0]));
    return Reflect.apply(original, this, values);
  };
}

const prepared = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'));
for (const method of ['run', 'get', 'all', 'iterate'])
  watch(prepared, method, (self) => self.source);
watch(pg.Client.prototype, 'query', (_, first) => first?.text ?? first);
