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

const { prepare } = Database.prototype;
Database.prototype.prepare = function (statement) {
  dieAt(statement);
  return prepare.call(this, statement);
};

const { query } = pg.Client.prototype;
/** @param {unknown[]} values */
pg.Client.prototype.query = function (...values) {
  dieAt(values[0]);
  return Reflect.apply(query, this, values);
};
