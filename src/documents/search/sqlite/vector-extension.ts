import Database from 'better-sqlite3';
import { load } from 'sqlite-vec';
import type { Config } from '../../../platform/config/config.js';

/**
 * What the operator has to do where embeddings are configured on SQLite and what compares vectors
 * cannot be loaded: its binary is an optional package, and there is none for some platforms.
 * Unnoticed at the start, every question would fail.
 */
export function vectorExtensionProblem({
  embeddings,
  hasEmbeddings,
  postgres,
}: Config): string | undefined {
  if (!hasEmbeddings || postgres) return undefined;
  const variable = embeddings ? 'EMBEDDINGS_BASE_URL' : 'EMBEDDINGS_MODEL_PATH';
  const connection = new Database(':memory:');
  try {
    load(connection);
    return undefined;
  } catch {
    return `${variable} needs sqlite-vec, whose binary is not installed or does not fit this machine: run \`npm ci\` without --omit=optional, use PostgreSQL (DATABASE_URL), or unset ${variable}`;
  } finally {
    connection.close();
  }
}
