import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Groups of synonyms: the vectors of a group have one direction. */
const MEANINGS = [
  ['car', 'automobile', 'vehicle', 'drive'],
  ['refund', 'reimbursement', 'money'],
  ['physician', 'doctor', 'medicine'],
];
const FLOAT = 1;
const INT64 = 7;

interface TinyModel {
  /** A number of dimensions, at least one more than there are meanings. */
  readonly dimension?: number;
  /** Further inputs, which it does not use. */
  readonly inputs?: readonly string[];
}

/**
 * Writes a sentence-embedding model that knows a few synonyms into a folder, in the layout in which
 * real ones are published: the vector of a text is the mean of the vectors of its words.
 */
export function writeTinyModel(folder: string, { dimension = 4, inputs = [] }: TinyModel = {}) {
  mkdirSync(folder, { recursive: true });
  const words = ['[UNK]', ...MEANINGS.flat()];
  const vectors = new Float32Array(words.length * dimension);
  for (const [index, word] of words.entries()) {
    const meaning = MEANINGS.findIndex((group) => group.includes(word));
    vectors[index * dimension + meaning + 1] = meaning < 0 ? 0.01 : 1;
  }
  writeFileSync(join(folder, 'model.onnx'), lookup(vectors, dimension, ['input_ids', ...inputs]));
  const tokenizer = {
    version: '1.0',
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordPiece',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, index) => [word, index])),
      unk_token: '[UNK]',
    },
  };
  writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
  writeFileSync(join(folder, 'tokenizer_config.json'), '{"unk_token":"[UNK]"}');
}

/** An ONNX file, in the wire format of protocol buffers: one node, which looks vectors up. */
function lookup(vectors: Float32Array, dimension: number, inputs: readonly string[]): Buffer {
  const table = message(
    ...[vectors.length / dimension, dimension].map((size) => number(1, size)),
    number(2, FLOAT),
    bytes(8, 'table'),
    bytes(9, Buffer.from(vectors.buffer)),
  );
  const node = message(
    bytes(1, 'table'),
    bytes(1, 'input_ids'),
    bytes(2, 'last_hidden_state'),
    bytes(4, 'Gather'),
  );
  const graph = message(
    bytes(1, node),
    bytes(2, 'tiny'),
    bytes(5, table),
    ...inputs.map((name) => bytes(11, value(name, INT64, ['batch', 'tokens']))),
    bytes(12, value('last_hidden_state', FLOAT, ['batch', 'tokens', dimension])),
  );
  const operators = message(bytes(1, ''), number(2, 13));
  return message(number(1, 8), bytes(7, graph), bytes(8, operators));
}

/** A named tensor; a size that is a name is not fixed. */
function value(name: string, type: number, sizes: readonly (string | number)[]): Buffer {
  const shape = message(
    ...sizes.map((size) => bytes(1, typeof size === 'number' ? number(1, size) : bytes(2, size))),
  );
  const tensor = message(number(1, type), bytes(2, shape));
  return message(bytes(1, name), bytes(2, bytes(1, tensor)));
}

const message = (...fields: readonly Buffer[]): Buffer => Buffer.concat(fields);

const number = (field: number, content: number): Buffer =>
  message(varint(field * 8), varint(content));

function bytes(field: number, content: Buffer | string): Buffer {
  const buffer = Buffer.from(content);
  return message(varint(field * 8 + 2), varint(buffer.length), buffer);
}

function varint(value: number): Buffer {
  const groups: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    groups.push((rest % 0x80) + 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...groups, rest]);
}
