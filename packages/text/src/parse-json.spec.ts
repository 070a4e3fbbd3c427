import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasEscapedClaim, hasEscapedName, parseJson } from './parse-json.js';

/** A JSON value whose objects are lists of entries, so that what it becomes is known without a parser. */
type Node =
  { readonly object: readonly [string, Node][] } | { readonly array: readonly Node[] } | Leaf;
type Leaf = string | number | boolean | null;

const isLeaf = (node: Node): node is Leaf => typeof node !== 'object' || node === null;

/** Compares the names one by one, which a comparison of objects would look up. */
function toNode(value: unknown): unknown {
  if (Array.isArray(value)) return { array: value.map(toNode) };
  if (typeof value !== 'object' || value === null) return value;
  return { object: Object.entries(value).map(([name, child]) => [name, toNode(child)]) };
}

/** The names as an object has them: the last value of each, numbers first. */
function expected(node: Node): unknown {
  if (isLeaf(node)) return node;
  if ('array' in node) return { array: node.array.map(expected) };
  const entries = [...new Map(node.object)];
  const isIndex = (name: string) => /^(0|[1-9]\d{0,8})$/.test(name);
  const numbers = entries
    .filter(([name]) => isIndex(name))
    .sort(([a], [b]) => Number(a) - Number(b));
  const texts = entries.filter(([name]) => !isIndex(name));
  return { object: [...numbers, ...texts].map(([name, child]) => [name, expected(child)]) };
}

/** How a character is written: as it is where it may be, by its short escape, or by its number. */
type Spelling = (unit: string) => string;
const byNumber: Spelling = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
const plainly: Spelling = (unit) =>
  unit < ' ' || unit === '"' || unit === '\\' ? byShortEscape(unit) : unit;
const byShortEscape: Spelling = (unit) =>
  /["\\/\b\f\n\r\t]/.test(unit)
    ? ({ '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t' }[unit] ?? `\\${unit}`)
    : byNumber(unit);

const write = (text: string, spell: (index: number) => Spelling) =>
  `"${text
    .split('')
    .map((unit, index) => spell(index)(unit))
    .join('')}"`;

function toText(node: Node, spell: (index: number) => Spelling, space: string): string {
  if (typeof node === 'string') return write(node, spell);
  if (isLeaf(node)) return JSON.stringify(node);
  if ('array' in node) {
    return `[${space}${node.array.map((child) => toText(child, spell, space)).join(`,${space}`)}]`;
  }
  const members = node.object.map(
    ([name, child]) => `${write(name, spell)}${space}:${toText(child, spell, space)}`,
  );
  return `{${space}${members.join(`,${space}`)}${space}}`;
}

/** Few characters, so that names share beginnings, and are what others begin with when escaped. */
const name = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.string({ unit: fc.constantFrom(...'a0u\\"é漢\n/\ud800\x00'), maxLength: 6 }),
  },
  fc.constantFrom('__proto__', 'constructor', 'toString', '0', '1', '10', '', 'größe', '\\u00'),
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.nat(3).map((n) => `${'x'.repeat(2000)}${'\\é'.charAt(n % 2)}`),
);
const leaf = fc.oneof(
  name,
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0),
  fc.boolean(),
  fc.constant(null),
);
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.record({ object: fc.array(fc.tuple(name, tie('node')), { maxLength: 5 }) }),
    fc.record({ array: fc.array(tie('node'), { maxLength: 4 }) }),
  ),
}));
const spelling = fc
  .array(fc.constantFrom(plainly, plainly, byNumber, byShortEscape), { minLength: 1, maxLength: 5 })
  .map((spellings) => (index: number) => spellings[index % spellings.length] ?? plainly);
const text = fc
  .tuple(node, spelling, fc.constantFrom('', ' ', '\n\t\r '))
  .map(([value, spell, space]) => ({ value, json: toText(value, spell, space) }));

describe(parseJson.name, () => {
  it.each([
    ['{"x":1,"\\\\":2}', '{"x":1,"\\u00e9":2}', 'é'],
    ['{"x":1,"gr\\\\u0":2}', '{"x":1,"gr\\u00f6\\u00dfe":2}', 'größe'],
    ['{"x":1,"a\\\\":2}', '{"x":1,"a\\"":2}', 'a"'],
    ['{"x":1,"漢\\\\":2}', '{"x":1,"漢\\u00e9":2}', '漢é'],
    ['[{"x":{"y":1,"\\\\":2}}]', '{"y":1,"\\ud83d":2}', '\ud83d'],
  ])('after %s gives %s the name %j', (prepared, next, last) => {
    parseJson(prepared);
    JSON.parse(prepared);
    expect(Object.keys(parseJson(next) as object).at(-1)).toBe(last);
  });

  it('reads any names in any order, whatever was read before', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), (texts) => {
        for (const { value, json } of texts) {
          expect(toNode(parseJson(json))).toEqual(expected(value));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('reads names without escapes, whatever JSON.parse itself has read before', () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), node, (texts, value) => {
        for (const { json } of texts) JSON.parse(json);
        const json = toText(value, () => plainly, '');
        expect(toNode(parseJson(json))).toEqual(expected(value));
      }),
      { numRuns: 1000 },
    );
  });

  it('throws a SyntaxError where JSON.parse does, and nowhere else', () => {
    const changes = fc.constantFrom(
      '',
      ',',
      ':',
      '"',
      '\\',
      '{',
      '}',
      ']',
      '1',
      '-',
      '.',
      'e',
      't',
      ' ',
      '\n',
      '\v',
    );
    fc.assert(
      fc.property(text, fc.nat(), fc.nat(2), changes, ({ json }, at, removed, inserted) => {
        const index = at % (json.length + 1);
        // With a name that has an escape, so that it is not JSON.parse that reads it.
        const changed = `[{"\\u0061":1},${json.slice(0, index)}${inserted}${json.slice(index + removed)}]`;
        expect(refusal(() => parseJson(changed))).toBe(refusal(() => JSON.parse(changed)));
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    '',
    ' ',
    '{"\\u0061"',
    '{"\\u0061":',
    '{"\\u0061":1',
    '{"\\u0061":1}}',
    '{"\\u0061":1,}',
    '{"\\u006"  :1}',
    '{"\\x":1}',
    '{"\\u0061":[1,]}',
    '{"\\u0061":[1',
    '{"\\u0061" 1}',
    '{"\\u0061":01}',
    '{"\\u0061":nul}',
    '{,"\\u0061":1}',
    '\ufeff{"\\u0061":1}',
    '{"\\u0061":"\n"}',
  ])('refuses %j', (json) => {
    expect(() => parseJson(json)).toThrow(SyntaxError);
  });

  it('gives no object the prototype that a name asks for', () => {
    const value = parseJson('{"\\u005f_proto__":{"polluted":true}}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value)).toEqual(['__proto__']);
  });
});

describe(hasEscapedName.name, () => {
  it.each([
    ['{"a":"\\n"}', false],
    ['["\\\\","a",":"]', false],
    ['{"a":"\\"","b":":"}', false],
    ['{"a":"\\\\","b":1}', false],
    ['{"a":"\\\\\\":","b":1}', false],
    ['"\\":', false],
    ['\\', false],
    ['{"\\u0061":1}', true],
    ['{"a\\"":1}', true],
    ['{"a":"\\n","\\\\"\n\t :1}', true],
    ['{"a":{"b":["\\"\\\\",{"c\\/":1}]}}', true],
  ])('%s: %p', (json, has) => {
    expect(hasEscapedName(json)).toBe(has);
  });

  it('finds one wherever a text has one, and none elsewhere', () => {
    // A reviver would only see what the parser made of the names: they are counted as they are written.
    const written = fc.array(fc.tuple(name, spelling, name, spelling), { maxLength: 4 });
    fc.assert(
      fc.property(written, fc.constantFrom('', ' \n'), (members, space) => {
        const names = members.map(([one, spell]) => write(one, spell));
        const values = members.map(([, , one, spell]) => write(one, spell));
        const json = `{${names.map((one, index) => `${one}${space}:${space}${values[index] ?? ''}`).join(',')}}`;
        expect(hasEscapedName(json)).toBe(names.some((one) => one.includes('\\')));
        expect(hasEscapedName(`[${[...values, ...names].join()}]`)).toBe(false);
      }),
    );
  });
});

describe(hasEscapedClaim.name, () => {
  const token = (header: string, claims: string) =>
    [header, claims].map((part) => Buffer.from(part).toString('base64url')).join('.');

  it.each([
    [token('{"alg":"HS256"}', '{"sub":"\\u00e9"}'), false],
    [token('{"alg":"HS256","\\u0061":1}', '{}'), true],
    [token('{}', '{"a\\\\":1}'), true],
    [`${token('{}', '{}')}.${Buffer.from('"\\":').toString('base64url')}`, false],
  ])('%s: %p', (jws, has) => {
    expect(hasEscapedClaim(jws)).toBe(has);
  });
});

function refusal(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    return (error as Error).name;
  }
}
