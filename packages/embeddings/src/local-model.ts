import { availableParallelism } from 'node:os';
import * as tokenizers from '@huggingface/tokenizers';
import type * as Runtime from 'onnxruntime-node';
import { normalize } from './vector.js';
import { applyCalibration } from './calibration.js';
import { hashModel, requireIntact } from './installed-hash.js';
import { LocalModelError } from './local-model-error.js';
import { type ModelFiles, readModelFiles } from './model-files.js';
import { pool } from './pooling.js';
import { RUNTIME_PACKAGE } from './runtime-package.js';

/** The part of the package that is used. Its own types do not resolve, since their imports have no extension. */
interface Tokenizer {
  encode(text: string): { readonly ids: number[] };
}
const { Tokenizer: HuggingFaceTokenizer } = tokenizers as unknown as {
  readonly Tokenizer: new (tokenizer: object, config: object) => Tokenizer;
};

/** At most half of the cores: the others are for the rest of the service. */
const THREADS = Math.min(4, Math.max(1, Math.floor(availableParallelism() / 2)));
/** A text is cut to this many characters for each token of the limit before it is tokenized. */
const CHARACTERS_PER_TOKEN = 16;
/** The outputs with a vector for each token, and the one with a vector of the whole text. */
const TOKEN_OUTPUTS = ['last_hidden_state', 'token_embeddings'];
const TEXT_OUTPUT = 'sentence_embedding';
const INPUTS = ['input_ids', 'attention_mask', 'token_type_ids', 'position_ids'] as const;

export type Purpose = keyof ModelFiles['prompts'];

/** A sentence-embedding model, loaded into this thread. */
export class LocalModel {
  private constructor(
    private readonly runtime: typeof Runtime,
    private readonly session: Runtime.InferenceSession,
    private readonly tokenizer: Tokenizer,
    private readonly files: ModelFiles,
    /** SHA-256 of everything that its vectors depend on. */
    readonly hash: string,
  ) {}

  /** @throws LocalModelError */
  static async load(path: string): Promise<LocalModel> {
    const files = readModelFiles(path);
    const hash = await hashModel(files);
    requireIntact(files, hash);
    const runtime = await loadRuntime();
    const session = await runtime.InferenceSession.create(files.model, {
      intraOpNumThreads: THREADS,
      interOpNumThreads: 1,
      // Texts have many lengths, and the runtime would keep memory for each of them.
      enableCpuMemArena: false,
      enableMemPattern: false,
      // A thread that spins until the next text comes would use a whole core.
      extra: { session: { intra_op: { allow_spinning: '0' } } },
      logSeverityLevel: 4,
    }).catch(() => {
      throw new LocalModelError('the file of the model is damaged, or its format is not supported');
    });
    const unknown = session.inputNames.find((name) => !INPUTS.some((input) => input === name));
    if (unknown !== undefined) throw new LocalModelError('it takes other inputs than tokens');
    const model = new LocalModel(runtime, session, createTokenizer(files), files, hash);
    await model.embed('text', 'passages').catch((error: unknown) => {
      throw error instanceof LocalModelError ? error : new LocalModelError('it gives no vectors');
    });
    return model;
  }

  /** Its ONNX file. */
  get file(): string {
    return this.files.model;
  }

  /** Frees its memory. It can embed nothing afterwards. */
  async release(): Promise<void> {
    await this.session.release();
  }

  async embed(text: string, purpose: Purpose): Promise<Float32Array> {
    const { maxTokens, prompts, pooling, calibration } = this.files;
    const tokens = this.tokenize(
      (prompts[purpose] + text).slice(0, maxTokens * CHARACTERS_PER_TOKEN).toWellFormed(),
    );
    const output = await this.run(tokens);
    const { data, dims } = output;
    const dimension = dims.at(-1) ?? 0;
    if (!(data instanceof Float32Array) || dimension === 0) {
      throw new LocalModelError('it gives no vectors');
    }
    const vector = normalize(dims.length === 2 ? data : pool(data, dimension, pooling));
    return calibration ? applyCalibration(calibration, vector) : vector;
  }

  /** Cuts to the model's limit, but keeps the token that marks the end of a text. */
  private tokenize(text: string): number[] {
    const { ids } = this.tokenizer.encode(text);
    const { maxTokens } = this.files;
    return ids.length > maxTokens ? [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)] : ids;
  }

  private async run(tokens: readonly number[]): Promise<Runtime.Tensor> {
    const { session, runtime } = this;
    const values = {
      input_ids: BigInt64Array.from(tokens, BigInt),
      attention_mask: new BigInt64Array(tokens.length).fill(1n),
      token_type_ids: new BigInt64Array(tokens.length),
      position_ids: BigInt64Array.from(tokens, (_, index) => BigInt(index)),
    };
    const inputs = INPUTS.filter((name) => session.inputNames.includes(name)).map(
      (name) => [name, new runtime.Tensor('int64', values[name], [1, tokens.length])] as const,
    );
    const name = [TEXT_OUTPUT, ...TOKEN_OUTPUTS, ...session.outputNames].find((output) =>
      session.outputNames.includes(output),
    );
    const output = (await session.run(Object.fromEntries(inputs), name ? [name] : []))[name ?? ''];
    if (!output) throw new LocalModelError('it gives no vectors');
    return output;
  }
}

function createTokenizer({ tokenizer, tokenizerConfig }: ModelFiles): Tokenizer {
  try {
    return new HuggingFaceTokenizer(tokenizer, tokenizerConfig);
  } catch {
    throw new LocalModelError('the kind of tokenizer in its tokenizer.json is not supported');
  }
}

async function loadRuntime(): Promise<typeof Runtime> {
  try {
    return await import('onnxruntime-node');
  } catch (error) {
    const isMissing =
      error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    throw new LocalModelError(
      isMissing
        ? `it needs a package that is not installed: run \`npm install --no-save --save-prod --omit=dev ${RUNTIME_PACKAGE}\` in the folder of the service`
        : `onnxruntime-node has no binary that runs on this machine (${process.platform}, ${process.arch})`,
    );
  }
}
