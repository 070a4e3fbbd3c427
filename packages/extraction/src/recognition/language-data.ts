import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { LanguageData } from './recogniser.js';

const require = createRequire(import.meta.url);
/** The smallest of the three precisions: as good on print, a quarter of the size. */
export const PRECISION = '4.0.0_best_int';

/**
 * Loads language data from the folder where the operator has installed it, or from the packages that come
 * with the service.
 */
export function openLanguageData(folder: string | null): LanguageData {
  const known = new Map<string, Promise<Uint8Array | undefined>>();
  const load = async (name: string): Promise<Uint8Array | undefined> => {
    if (!/^[a-z]{3}(?:_[a-z]{3,4})?$/.test(name)) return undefined;
    const installed = folder === null ? undefined : await read(join(folder, toFileName(name)));
    return installed ?? read(findPackagedFile(name));
  };
  return (name) => {
    const data = known.get(name) ?? load(name);
    known.set(name, data);
    return data;
  };
}

export const toFileName = (name: string): string => `${name}.traineddata.gz`;

function findPackagedFile(name: string): string | undefined {
  try {
    return require.resolve(`@tesseract.js-data/${name}/${PRECISION}/${toFileName(name)}`);
  } catch {
    return undefined;
  }
}

async function read(path: string | undefined): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path);
  } catch {
    return undefined;
  }
}
