import { chmodSync, cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './postgres.mjs';

/** The folder of a PostgreSQL of the tests' version with pgvector, which `.ci/run` installs. */
const installed = process.env['PGVECTOR_DIR'] ?? '';

/** It is loaded into the PostgreSQL of the package only. */
export const hasPgvector =
  process.env['POSTGRES_BIN_DIR'] === undefined &&
  existsSync(join(installed, 'lib/postgresql/vector.so'));

/** Starts a server with the extension; a database has it after `CREATE EXTENSION vector`. */
export function startPostgresWithPgvector(): ReturnType<typeof startPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-pgvector-'));
  cpSync(join(installed, 'lib/postgresql/vector.so'), join(directory, 'vector.so'));
  cpSync(join(installed, 'share/postgresql/extension'), join(directory, 'extension'), {
    recursive: true,
    filter: (path) => path.endsWith('extension') || /\bvector[^/]*$/.test(path),
  });
  // PostgreSQL runs as another user.
  chmodSync(directory, 0o755);
  return startPostgres({
    flags: [
      ...['-c', `extension_control_path=${directory}:$system`],
      ...['-c', `dynamic_library_path=${directory}:$libdir`],
    ],
  });
}
