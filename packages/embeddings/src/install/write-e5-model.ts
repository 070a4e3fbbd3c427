import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { E5Weights, QuantizedMatrix } from './e5-weights.js';
import { OnnxWriter, TensorType } from './onnx-writer.js';

const { float, int8, int64 } = TensorType;
/** Added to the attention that a token pays to padding. */
const MASKED = -10_000;

/**
 * Writes multilingual-e5-small in the layout of Sentence Transformers, its weights as 8-bit integers
 * with one scale for each output, which ONNX Runtime multiplies about three times as fast as 4-bit ones.
 */
export async function writeE5Model(weights: E5Weights, folder: string): Promise<void> {
  const json = (name: string, value: unknown) =>
    writeFile(join(folder, name), JSON.stringify(value));
  await mkdir(join(folder, '1_Pooling'), { recursive: true });
  await writeFile(join(folder, 'model.onnx'), new E5Graph(weights).toOnnx());
  await json('tokenizer.json', tokenizer(weights));
  await json('tokenizer_config.json', {
    tokenizer_class: 'XLMRobertaTokenizer',
    model_max_length: weights.positions,
  });
  await json('sentence_bert_config.json', { max_seq_length: weights.positions });
  await json('1_Pooling/config.json', { pooling_mode_mean_tokens: true });
  await json('config_sentence_transformers.json', {
    prompts: { query: 'query: ', document: 'passage: ' },
  });
}

/** An encoder like BERT's: embeddings, then layers of attention and a feed-forward network. */
class E5Graph {
  private readonly onnx = new OnnxWriter();
  /** Activations that are already quantized. */
  private readonly quantized = new Set<string>();

  constructor(private readonly weights: E5Weights) {}

  toOnnx(): Buffer {
    const { hidden, layers } = this.weights;
    const mask = this.mask();
    let input = this.embed();
    for (let layer = 0; layer < layers; layer++) {
      const isLast = layer === layers - 1;
      input = this.layer(`l${layer}`, input, mask, isLast ? 'last_hidden_state' : `l${layer}.out`);
    }
    return this.onnx.finish(
      ['input_ids', 'attention_mask'].map((name) => ({
        name,
        type: int64,
        dimensions: ['batch', 'tokens'],
      })),
      [{ name: input, type: float, dimensions: ['batch', 'tokens', hidden] }],
    );
  }

  private embed(): string {
    const { onnx, weights } = this;
    const { hidden, vocabulary, positions } = weights;
    const { values, scales } = quantizeRows(weights.matrix('emb.word', vocabulary, hidden));
    onnx.constant('word.values', int8, [vocabulary, hidden], values);
    onnx.constant('word.scales', float, [vocabulary, 1], scales);
    onnx.node('Gather', ['word.values', 'input_ids'], ['word.quantized']);
    onnx.node('Cast', ['word.quantized'], ['word.cast'], { to: float });
    onnx.node('Gather', ['word.scales', 'input_ids'], ['word.scale']);
    onnx.node('Mul', ['word.cast', 'word.scale'], ['word']);

    this.integers('0', [0]);
    this.integers('1', [1]);
    this.integers('2', [2]);
    onnx.node('Shape', ['input_ids'], ['shape']);
    onnx.node('Slice', ['shape', '1', '2'], ['length']);
    this.floats('positions', 'emb.pos', [positions, hidden]);
    onnx.node('Slice', ['positions', '0', 'length'], ['position']);
    onnx.node('Add', ['word', 'position'], ['placed']);
    this.floats('type', 'emb.type', [hidden]);
    onnx.node('Add', ['placed', 'type'], ['typed']);
    return this.normalize('typed', 'emb.ln', 'embedded');
  }

  private mask(): string {
    const { onnx, weights } = this;
    const { hidden, heads } = weights;
    this.integers('mask.axes', [1, 2]);
    this.number('one', 1);
    this.number('masked', MASKED);
    this.number('attention.scale', 1 / Math.sqrt(hidden / heads));
    this.integers('heads', [0, 0, heads, hidden / heads]);
    this.integers('merged', [0, 0, hidden]);
    onnx.node('Cast', ['attention_mask'], ['mask.cast'], { to: float });
    onnx.node('Unsqueeze', ['mask.cast', 'mask.axes'], ['mask.wide']);
    onnx.node('Sub', ['one', 'mask.wide'], ['mask.inverse']);
    return onnx.node('Mul', ['mask.inverse', 'masked'], ['mask']);
  }

  private layer(name: string, input: string, mask: string, output: string): string {
    const { onnx, weights } = this;
    const { hidden, intermediate } = weights;
    const query = this.heads(`${name}.q`, input, [0, 2, 1, 3]);
    const key = this.heads(`${name}.k`, input, [0, 2, 3, 1]);
    const value = this.heads(`${name}.v`, input, [0, 2, 1, 3]);
    onnx.node('MatMul', [query, key], [`${name}.products`]);
    onnx.node('Mul', [`${name}.products`, 'attention.scale'], [`${name}.scaled`]);
    onnx.node('Add', [`${name}.scaled`, mask], [`${name}.masked`]);
    onnx.node('Softmax', [`${name}.masked`], [`${name}.attention`], { axis: -1 });
    onnx.node('MatMul', [`${name}.attention`, value], [`${name}.context`]);
    onnx.node('Transpose', [`${name}.context`], [`${name}.turned`], { perm: [0, 2, 1, 3] });
    onnx.node('Reshape', [`${name}.turned`, 'merged'], [`${name}.merged`]);
    const attended = this.linear(`${name}.ao`, `${name}.merged`, hidden, hidden);
    onnx.node('Add', [input, attended], [`${name}.sum`]);
    const middle = this.normalize(`${name}.sum`, `${name}.aln`, `${name}.middle`);

    const wide = this.linear(`${name}.fi`, middle, hidden, intermediate);
    onnx.node('Gelu', [wide], [`${name}.gelu`], {}, 'com.microsoft');
    const narrow = this.linear(`${name}.fo`, `${name}.gelu`, intermediate, hidden);
    onnx.node('Add', [middle, narrow], [`${name}.total`]);
    return this.normalize(`${name}.total`, `${name}.oln`, output);
  }

  private heads(name: string, input: string, permutation: readonly number[]): string {
    const { hidden } = this.weights;
    const projected = this.linear(name, input, hidden, hidden);
    this.onnx.node('Reshape', [projected, 'heads'], [`${name}.split`]);
    return this.onnx.node('Transpose', [`${name}.split`], [`${name}.heads`], { perm: permutation });
  }

  /** A matrix product of integers: the activations are quantized when it is computed. */
  private linear(name: string, input: string, from: number, to: number): string {
    const { onnx, weights } = this;
    const { values, scales } = quantizeRows(weights.matrix(`${name}.w`, to, from));
    onnx.constant(`${name}.values`, int8, [from, to], transpose(values, to, from));
    onnx.constant(`${name}.scales`, float, [to], scales);
    if (!this.quantized.has(input)) {
      const outputs = [`${input}.quantized`, `${input}.scale`, `${input}.zero`] as const;
      onnx.node('DynamicQuantizeLinear', [input], [...outputs]);
      this.quantized.add(input);
    }
    onnx.node(
      'MatMulInteger',
      [`${input}.quantized`, `${name}.values`, `${input}.zero`],
      [`${name}.integers`],
    );
    onnx.node('Cast', [`${name}.integers`], [`${name}.cast`], { to: float });
    onnx.node('Mul', [`${input}.scale`, `${name}.scales`], [`${name}.scale`]);
    onnx.node('Mul', [`${name}.cast`, `${name}.scale`], [`${name}.product`]);
    this.floats(`${name}.bias`, `${name}.b`, [to]);
    return onnx.node('Add', [`${name}.product`, `${name}.bias`], [`${name}.linear`]);
  }

  private normalize(input: string, name: string, output: string): string {
    const { hidden, epsilon } = this.weights;
    const scale = this.floats(`${name}.scale`, `${name}.w`, [hidden]);
    const bias = this.floats(`${name}.bias`, `${name}.b`, [hidden]);
    return this.onnx.node('LayerNormalization', [input, scale, bias], [output], {
      axis: -1,
      epsilon,
    });
  }

  private floats(name: string, tensor: string, dimensions: readonly number[]): string {
    const length = dimensions.reduce((product, size) => product * size, 1);
    return this.onnx.constant(name, float, dimensions, this.weights.values(tensor, length));
  }

  private number(name: string, value: number): void {
    this.onnx.constant(name, float, [1], Float32Array.of(value));
  }

  private integers(name: string, values: readonly number[]): void {
    this.onnx.constant(name, int64, [values.length], BigInt64Array.from(values, BigInt));
  }
}

/** @returns `values[i] * scales[row of i]` is about the weight `i` */
function quantizeRows(matrix: QuantizedMatrix): {
  values: Int8Array;
  scales: Float32Array;
} {
  const { rows, columns } = matrix;
  const values = new Int8Array(rows * columns);
  const scales = new Float32Array(rows);
  const weights = new Float32Array(columns);
  for (let row = 0; row < rows; row++) {
    matrix.readRow(row, weights);
    const largest = weights.reduce((max, weight) => Math.max(max, Math.abs(weight)), 0);
    const scale = largest / 127 || 1;
    scales[row] = scale;
    for (const [column, weight] of weights.entries()) {
      values[row * columns + column] = Math.round(weight / scale);
    }
  }
  return { values, scales };
}

function transpose(values: Int8Array, rows: number, columns: number): Int8Array {
  const turned = new Int8Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      turned[column * rows + row] = values[row * columns + column] ?? 0;
    }
  }
  return turned;
}

/** A SentencePiece tokenizer (unigram) in the format of Hugging Face's tokenizers. */
function tokenizer({ pieces, specials }: E5Weights): object {
  const special = { single_word: false, lstrip: false, rstrip: false, normalized: false };
  const added = (id: number, content: string) => ({ id, content, ...special, special: true });
  const metaspace = { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: true };
  const { begin, end, pad, unknown } = specials;
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [
      ...[added(begin, '<s>'), added(pad, '<pad>')],
      ...[added(end, '</s>'), added(unknown, '<unk>')],
    ],
    normalizer: {
      type: 'Sequence',
      normalizers: [
        { type: 'Precompiled', precompiled_charsmap: null },
        { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' },
      ],
    },
    pre_tokenizer: metaspace,
    post_processor: {
      type: 'TemplateProcessing',
      single: [
        { SpecialToken: { id: '<s>', type_id: 0 } },
        { Sequence: { id: 'A', type_id: 0 } },
        { SpecialToken: { id: '</s>', type_id: 0 } },
      ],
      pair: [],
      special_tokens: {
        '<s>': { id: '<s>', ids: [begin], tokens: ['<s>'] },
        '</s>': { id: '</s>', ids: [end], tokens: ['</s>'] },
      },
    },
    decoder: metaspace,
    model: { type: 'Unigram', unk_id: unknown, vocab: pieces, byte_fallback: false },
  };
}
