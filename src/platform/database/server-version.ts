import type { DataSource } from 'typeorm';
import { ConfigurationError } from '../config/configuration-error.js';

/** The oldest version of PostgreSQL that `.ci/run` tests. */
const MIN_POSTGRES_VERSION = 15;

/**
 * @returns the server's version, such as 18.1
 * @throws ConfigurationError when the server is too old
 */
export async function requireSupportedServer(dataSource: DataSource): Promise<string> {
  const [row] = await dataSource.query<[{ server_version_num: string }]>('SHOW server_version_num');
  const version = Number(row.server_version_num);
  requireSupportedVersion(version);
  return `${Math.floor(version / 10_000)}.${version % 10_000}`;
}

/** @param version as in `server_version_num`: 180001 is 18.1 */
export function requireSupportedVersion(version: number): void {
  const major = Math.floor(version / 10_000);
  if (major < MIN_POSTGRES_VERSION) {
    throw new ConfigurationError(
      `DATABASE_URL names a PostgreSQL ${major}; Latchkey needs ${MIN_POSTGRES_VERSION} or later`,
    );
  }
}
