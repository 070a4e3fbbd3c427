import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';

/**
 * Until all sentences have vectors, which come behind those of passages; the API does not tell.
 *
 * @param {NodeJS.ProcessEnv} environment of a service on SQLite
 */
export async function waitForSentences(environment) {
  const file = join(String(environment['DATA_DIR']), 'latchkey.sqlite');
  const database = new Database(file, { readonly: true });
  const waiting = database.prepare('SELECT 1 FROM passage_vectors WHERE sentence_vectors IS NULL');
  while (waiting.get() !== undefined) await pause(500);
  database.close();
}

/** @param {string} url of a service that has just started */
export async function waitForModel(url) {
  for (;;) {
    const response = await globalThis.fetch(`${url}/health/ready`);
    const { meaning } = /** @type {{ meaning: string }} */ (await response.json());
    if (meaning !== 'off') return;
    await pause(100);
  }
}
