import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { toFileName, PRECISION } from './language-data.js';
import { findDataName } from './languages.js';
import { initialise } from './recogniser.js';
import { tesseractCore } from './tesseract-core.js';

/** A language could not be installed. The message is for the operator. */
export class LanguageError extends Error {}

const GZIP = 0x1f;
const TIMEOUT_MS = 300_000;

/**
 * Installs the recognition data of a language from a file of Tesseract, or from the npm registry. It runs
 * npm itself, which knows the registry, proxy and credentials, and checks the hash.
 *
 * @param language as BCP 47, or as Tesseract names it: `de`, `deu`
 * @param folder `ocr` in the service's `DATA_DIR`
 * @param file `.traineddata`, compressed or not
 * @returns the path of the installed file
 * @throws LanguageError
 */
export async function installLanguage(
  language: string,
  folder: string,
  file?: string,
): Promise<string> {
  const name = findInstallName(language);
  if (name === undefined) throw new LanguageError(`${language} is no language that is recognised.`);
  const data = file === undefined ? await fetchFromRegistry(name) : await readFromFile(file);
  const core = await tesseractCore();
  core.FS.writeFile(`/${name}.traineddata`, data);
  if (!initialise(new core.TessBaseAPI(), name)) {
    throw new LanguageError(`The data of ${name} are damaged, or made for another engine.`);
  }
  await mkdir(folder, { recursive: true });
  const path = join(folder, toFileName(name));
  // Rename a finished file, since a running service may look for it meanwhile.
  await writeFile(`${path}.part`, gzipSync(data));
  await rename(`${path}.part`, path);
  return path;
}

/** Finds the name of a language's data. Unknown names are accepted if they look like Tesseract's. */
function findInstallName(language: string): string | undefined {
  if (/^[a-z]{3}(?:_[a-z]{3,4})?$/.test(language)) return language;
  try {
    return findDataName(language);
  } catch {
    return undefined;
  }
}

async function readFromFile(path: string): Promise<Uint8Array> {
  try {
    const content = await readFile(path);
    return content[0] === GZIP ? gunzipSync(content) : content;
  } catch {
    throw new LanguageError(`${path} cannot be read.`);
  }
}

async function fetchFromRegistry(name: string): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-language-'));
  const spec = `@tesseract.js-data/${name}`;
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  try {
    await promisify(execFile)('npm', ['install', '--prefix', folder, ...flags, spec], {
      timeout: TIMEOUT_MS,
    });
    const path = join(folder, 'node_modules', spec, PRECISION, toFileName(name));
    return gunzipSync(await readFile(path));
  } catch (error) {
    const reason = /E404/.test(String(error))
      ? 'the registry has no such package; give a file of Tesseract instead'
      : 'npm could not install it';
    throw new LanguageError(`${spec}: ${reason}.`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
