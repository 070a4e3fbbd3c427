import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseJson } from '@latchkey/text/parse-json';
import { LocalModelError } from './local-model-error.js';
import type { Calibration } from './calibration.js';
import { type Pooling, readPooling } from './pooling.js';

/** The file is not part of the layout of Sentence Transformers: see calibration.ts. */
export const CALIBRATION_FILE = 'calibration.json';
/** The usual paths of ONNX exports, in the order in which they are looked for. */
const MODEL_FILES = ['model.onnx', 'onnx/model.onnx'];
/** Longer texts are cut even if the model takes more: the time grows faster than the length. */
const MAX_TOKENS = 512;

/** The files of a model, and the settings that they contain. */
export interface ModelFiles {
  readonly folder: string;
  /** The ONNX file, and files with its weights. */
  readonly model: string;
  readonly weights: readonly string[];
  readonly tokenizer: object;
  readonly tokenizerConfig: object;
  readonly maxTokens: number;
  readonly pooling: Pooling;
  /** Written before each text, as some models expect. */
  readonly prompts: { readonly question: string; readonly passages: string };
  /** Present in multilingual models that `npm run models` has installed. */
  readonly calibration: Calibration | undefined;
}

interface Prompts {
  readonly query?: unknown;
  readonly document?: unknown;
  readonly passage?: unknown;
}

/**
 * Reads the files of a sentence-embedding model in the layout of Sentence Transformers.
 *
 * @param path the model's folder, or its ONNX file
 * @throws LocalModelError
 */
export function readModelFiles(path: string): ModelFiles {
  const model = findModel(path);
  const folder = findFolder(dirname(model));
  const json = (name: string) => readJson(join(folder, name));
  const sentence = json('sentence_bert_config.json');
  const tokenizerConfig = json('tokenizer_config.json');
  refuseFurtherModules(json('modules.json'));
  const { prompts = {} } = json('config_sentence_transformers.json') as { prompts?: Prompts };
  const limits = [
    sentence['max_seq_length'],
    tokenizerConfig['model_max_length'],
    json('config.json')['max_position_embeddings'],
  ];
  return {
    folder,
    model,
    weights: readdirSync(dirname(model))
      .filter(
        (name) =>
          /^\.?_?data/.test(name.slice(basename(model).length)) && name.startsWith(basename(model)),
      )
      .map((name) => join(dirname(model), name)),
    tokenizer: json('tokenizer.json'),
    tokenizerConfig,
    maxTokens: Math.min(
      MAX_TOKENS,
      ...limits.filter((limit): limit is number => typeof limit === 'number' && limit > 2),
    ),
    pooling: readPooling(json('1_Pooling/config.json')),
    prompts: {
      question: toText(prompts.query),
      passages: toText(prompts.document ?? prompts.passage),
    },
    calibration: readCalibration(json(CALIBRATION_FILE)),
  };
}

function readCalibration({ center, directions }: Partial<Calibration>): Calibration | undefined {
  const isVector = (value: unknown) =>
    Array.isArray(value) && value.every((one) => typeof one === 'number');
  if (center === undefined) return undefined;
  if (isVector(center) && Array.isArray(directions) && directions.every(isVector)) {
    return { center, directions };
  }
  throw new LocalModelError(`${CALIBRATION_FILE} cannot be read`);
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

function findModel(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw new LocalModelError('there is nothing at that path');
  if (found.isFile()) return path;
  const file = MODEL_FILES.map((name) => join(path, name)).find((candidate) =>
    statSync(candidate, { throwIfNoEntry: false })?.isFile(),
  );
  if (file === undefined)
    throw new LocalModelError(`the folder has no ${MODEL_FILES.join(' or ')}`);
  return file;
}

/** The model may be in a folder `onnx` in the one that has its tokenizer. */
function findFolder(folder: string): string {
  const found = [folder, dirname(folder)].find((candidate) =>
    statSync(join(candidate, 'tokenizer.json'), { throwIfNoEntry: false }),
  );
  if (found === undefined) throw new LocalModelError('there is no tokenizer.json beside the model');
  return found;
}

/** @returns an empty object for a file that is missing */
function readJson(path: string): Record<string, unknown> {
  if (!statSync(path, { throwIfNoEntry: false })) return {};
  try {
    const value = parseJson(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below, as is a value that is no object.
  }
  throw new LocalModelError(`${basename(path)} cannot be read`);
}

/** Layers after the pooling are not in the ONNX file; without them the vectors would be wrong. */
function refuseFurtherModules(modules: object): void {
  for (const { type } of Object.values(modules) as { type?: unknown }[]) {
    const name = String(type).split('.').at(-1) ?? '';
    if (!['Transformer', 'Pooling', 'Normalize'].includes(name)) {
      throw new LocalModelError(`models with a module ${name.slice(0, 40)} are not supported`);
    }
  }
}
