import type Database from 'better-sqlite3';
import { unsealed } from './seal-line.js';

/**
 * Begins a new chain in a restored database: lines written since the backup have the numbers with which its
 * chain would continue. Lines that were not written yet get other numbers.
 */
export function beginNewChain(copy: Database.Database): void {
  const table = `SELECT 1 FROM sqlite_schema WHERE name = 'audit_batches'`;
  if (!copy.prepare(table).get()) return;
  const batches = copy.prepare<[], { lines: string }>('SELECT lines FROM audit_batches').all();
  const insert = copy.prepare('INSERT INTO audit_outbox (event) VALUES (?)');
  for (const { lines } of batches) for (const event of unsealed(lines)) insert.run(event);
  copy.exec('DELETE FROM audit_batches; DELETE FROM audit_chain');
}
