import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as stopWordLists from 'stopword';
import { calibrate } from '../calibration.js';
import { storeHash } from '../installed-hash.js';
import { LocalModel } from '../local-model.js';
import { CALIBRATION_FILE, readModelFiles } from '../model-files.js';
import { type InstallOptions, installFile, installModel } from './install-model.js';
import { DEFAULT_MODEL, KNOWN_MODELS } from './known-models.js';

/** Languages of many families and scripts, by the names of their lists in `stopword`. */
const LANGUAGES = [
  ...['eng', 'deu', 'nld', 'swe', 'dan', 'nob', 'fra', 'spa', 'por', 'ita', 'ron', 'cat'],
  ...['pol', 'ces', 'rus', 'ukr', 'bul', 'ell', 'tur', 'fin', 'hun', 'ara', 'fas', 'heb'],
  ...['hin', 'ben', 'tha', 'vie', 'ind', 'zho', 'jpn', 'kor'],
] as const;

/**
 * Installs a model by its name, or from a file or folder, and calibrates it if it is multilingual.
 *
 * @returns its folder, for `EMBEDDINGS_MODEL_PATH`
 * @throws LocalModelError
 */
export async function install(nameOrPath: string, options: InstallOptions): Promise<string> {
  const known = KNOWN_MODELS.find(({ name }) => name === nameOrPath);
  const folder = known
    ? await installModel(known, options)
    : await installFile(nameOrPath, DEFAULT_MODEL, options);
  const isMultilingual =
    known?.isMultilingual ?? folder === join(options.models, DEFAULT_MODEL.name);
  if (isMultilingual && readModelFiles(folder).calibration === undefined) {
    options.report('Calibrating it on 32 languages');
    const model = await LocalModel.load(folder);
    const calibration = await calibrate(stopWords(), (text) => model.embed(text, 'passages'));
    await writeFile(join(folder, CALIBRATION_FILE), JSON.stringify(calibration));
  }
  // Says at once what is wrong with the files of a model that was not made here.
  const { hash } = await LocalModel.load(folder);
  await storeHash(folder, hash);
  return folder;
}

const stopWords = (): Map<string, readonly string[]> =>
  new Map(LANGUAGES.map((language) => [language, stopWordLists[language]]));
