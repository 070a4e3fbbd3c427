import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { LocalModelError } from './local-model-error.js';
import { type ModelFiles, readModelFiles } from './model-files.js';

/** The file beside an installed model with its hash, which is checked at each start. */
const HASH_FILE = 'installed.sha256';

/** SHA-256 of everything that the vectors of a model depend on. */
export async function hashModel({ folder, ...files }: ModelFiles): Promise<string> {
  const { model, weights, ...settings } = files;
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of [model, ...weights]) {
    await pipeline(createReadStream(file), async (chunks) => {
      for await (const chunk of chunks) hash.update(chunk as Buffer);
    });
  }
  return hash.digest('hex');
}

/** @throws LocalModelError when the model was installed with other files; other models have no hash */
export function requireIntact({ folder }: ModelFiles, hash: string): void {
  const installed = readInstalledHash(folder);
  if (installed !== undefined && installed !== hash) {
    throw new LocalModelError('its files are not those that were installed');
  }
}

export const storeHash = (folder: string, hash: string): Promise<void> =>
  writeFile(join(folder, HASH_FILE), hash);

/** Whether files of an installed model were cut, changed or removed since. */
export async function isAltered(folder: string): Promise<boolean> {
  try {
    const files = readModelFiles(folder);
    requireIntact(files, await hashModel(files));
    return false;
  } catch (error) {
    if (!(error instanceof LocalModelError)) throw error;
    return true;
  }
}

function readInstalledHash(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, HASH_FILE), 'utf8').trim();
  } catch {
    return undefined;
  }
}
