/** The types of tensors that a model uses, by their numbers in ONNX. */
export const TensorType = { float: 1, int8: 3, int64: 7 } as const;
type TensorTypeNumber = (typeof TensorType)[keyof typeof TensorType];

type Attribute = number | readonly number[];

interface TensorShape {
  readonly name: string;
  readonly type: TensorTypeNumber;
  /** A number, or the name of a length that differs from call to call. */
  readonly dimensions: readonly (number | string)[];
}

const IR_VERSION = 9;
const OPERATORS = { '': 17, 'com.microsoft': 1 } as const;
/** The field numbers of ONNX's protocol buffers (onnx.proto), as far as they are written here. */
const MODEL = { irVersion: 1, producer: 2, graph: 7, operators: 8 } as const;
const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 } as const;
const NODE = { input: 1, output: 2, name: 3, type: 4, attribute: 5, domain: 7 } as const;
const TENSOR = { dimension: 1, type: 2, name: 8, raw: 9 } as const;
const ATTRIBUTE = { name: 1, float: 2, int: 3, ints: 8, type: 20 } as const;
const ATTRIBUTE_TYPE = { float: 1, int: 2, ints: 7 } as const;

/** Builds an ONNX model of one graph. Names of nodes are those of their first output. */
export class OnnxWriter {
  private readonly parts: Buffer[] = [];

  /** @returns the name of the output */
  node(
    type: string,
    inputs: readonly string[],
    outputs: readonly [string, ...string[]],
    attributes: Readonly<Record<string, Attribute>> = {},
    domain: keyof typeof OPERATORS = '',
  ): string {
    const [output] = outputs;
    this.parts.push(
      bytes(
        GRAPH.node,
        Buffer.concat([
          ...inputs.map((name) => bytes(NODE.input, name)),
          ...outputs.map((name) => bytes(NODE.output, name)),
          bytes(NODE.name, output),
          bytes(NODE.type, type),
          ...Object.entries(attributes).map(([name, value]) =>
            bytes(NODE.attribute, attribute(name, value)),
          ),
          bytes(NODE.domain, domain),
        ]),
      ),
    );
    return output;
  }

  /**
   * A tensor whose values are part of the model.
   *
   * @param raw its values, little-endian, in row-major order
   * @returns its name
   */
  constant(
    name: string,
    type: TensorTypeNumber,
    dimensions: readonly number[],
    raw: ArrayBufferView,
  ): string {
    this.parts.push(
      bytes(
        GRAPH.initializer,
        Buffer.concat([
          ...dimensions.map((size) => int(TENSOR.dimension, size)),
          int(TENSOR.type, type),
          bytes(TENSOR.name, name),
          bytes(TENSOR.raw, Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)),
        ]),
      ),
    );
    return name;
  }

  /** The bytes of the model's file. */
  finish(inputs: readonly TensorShape[], outputs: readonly TensorShape[]): Buffer {
    const graph = Buffer.concat([
      bytes(GRAPH.name, 'sentence-embedding'),
      ...this.parts,
      ...inputs.map((one) => bytes(GRAPH.input, valueInfo(one))),
      ...outputs.map((one) => bytes(GRAPH.output, valueInfo(one))),
    ]);
    return Buffer.concat([
      int(MODEL.irVersion, IR_VERSION),
      bytes(MODEL.producer, 'latchkey'),
      bytes(MODEL.graph, graph),
      ...Object.entries(OPERATORS).map(([domain, version]) =>
        bytes(MODEL.operators, Buffer.concat([bytes(1, domain), int(2, version)])),
      ),
    ]);
  }
}

function attribute(name: string, value: Attribute): Buffer {
  const named = bytes(ATTRIBUTE.name, name);
  if (typeof value !== 'number') {
    const items = value.map((item) => int(ATTRIBUTE.ints, item));
    return Buffer.concat([named, ...items, int(ATTRIBUTE.type, ATTRIBUTE_TYPE.ints)]);
  }
  return Number.isInteger(value)
    ? Buffer.concat([named, int(ATTRIBUTE.int, value), int(ATTRIBUTE.type, ATTRIBUTE_TYPE.int)])
    : Buffer.concat([
        named,
        float(ATTRIBUTE.float, value),
        int(ATTRIBUTE.type, ATTRIBUTE_TYPE.float),
      ]);
}

/** ValueInfoProto: the name, then type, tensor type and shape within each other. */
function valueInfo({ name, type, dimensions }: TensorShape): Buffer {
  const shape = dimensions.map((size) =>
    bytes(1, typeof size === 'string' ? bytes(2, size) : int(1, size)),
  );
  const tensor = Buffer.concat([int(1, type), bytes(2, Buffer.concat(shape))]);
  return Buffer.concat([bytes(1, name), bytes(2, bytes(1, tensor))]);
}

/** Protocol buffers' encodings of a field: a varint, bytes with their length, four bytes. */
function int(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function bytes(field: number, value: string | Buffer): Buffer {
  const content = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([varint((field << 3) | 2), varint(content.length), content]);
}

function float(field: number, value: number): Buffer {
  const content = Buffer.alloc(4);
  content.writeFloatLE(value);
  return Buffer.concat([varint((field << 3) | 5), content]);
}

function varint(value: number): Buffer {
  const encoded: number[] = [];
  // Negative numbers are written as 64 bits in two's complement.
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    encoded.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Buffer.from(encoded);
}
