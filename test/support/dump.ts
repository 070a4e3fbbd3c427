import { sql } from './sql.js';
import { engine } from './test-database.js';

/** Every row of every table. What the service writes by itself while nothing is asked is left out. */
export async function dumpTables(
  environment: NodeJS.ProcessEnv,
): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string }>(
    environment,
    engine === 'postgres'
      ? `SELECT table_name AS name FROM information_schema.tables
         WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`
      : `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables.filter(({ name: table }) => !WRITTEN_BY_ITSELF.has(table))) {
    const found = await sql<object>(environment, `SELECT * FROM "${name}"`);
    rows[name] = found.map((row) => JSON.stringify(row)).sort();
  }
  return rows;
}

/** Leases of background jobs. */
const WRITTEN_BY_ITSELF: ReadonlySet<string> = new Set(['job_leases']);
