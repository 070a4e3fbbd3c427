import Database from 'better-sqlite3';
import pg from 'pg';

/**
 * Loaded into a service with `--import`: kills it, as by power loss, when it is about to run a
 * statement that DIE_AT_STATEMENT matches, for the DIE_AT_OCCURRENCE-th time.
 */
const pattern = new RegExp(String(process.env['DIE_AT_STATEMENT']));
let occurrences = Number(process.env['DIE_AT_OCCURRENCE']);

/** @param {unknown} statement */
function dieAt(statement) {
  if (typeof statement !== 'string' || !pattern.test(statement) || --occurrences > 0) return;
  process.kill(process.pid, 'SIGKILL');
  // The signal takes a moment, in which nothing more may be run.
  for (;;);
}

/**
 * @param {{ [method: string]: any }} prototype
 * @param {string} method whose first argument is a statement
 */
function watch(prototype, method) {
  const original = prototype[method];
  prototype[method] = function (/** @type {unknown[]} */ ...values) {
    dieAt(values[0]);
    return Reflect.apply(original, this, values);
  };
}

watch(Database.prototype, 'prepare');
watch(pg.Client.prototype, 'query');
