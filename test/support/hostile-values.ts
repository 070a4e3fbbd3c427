import fc from 'fast-check';

// Node itself refuses more than 16 KiB of request line and headers.
const MAX_SEGMENT_LENGTH = 2000;

/** Names that mean something to JavaScript, or to our own tables. */
export const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'],
  ...['id', 'kb_id', 'state', 'owner', 'role', 'created_at', 'created_by', 'sha256', 'secret'],
];

const POLLUTERS = [
  '{"__proto__": {"polluted": true}}',
  '{"constructor": {"prototype": {"polluted": true}}}',
  '{"name": "x", "__proto__": {"polluted": true}, "metadata": {"__proto__": {"polluted": 1}}}',
];

export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc
    .array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 5 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\ud800',
      '\udc00x',
      '\u202eevil',
      '\ufeff',
      '👩‍👩‍👧‍👦'.repeat(60),
      'ﷺ'.repeat(2000),
    ],
    ...["' OR '1'='1", '"; DROP TABLE kbs; --', '" NEAR/2 *', '% _ \\', '../../etc/passwd'],
    ...['1e999', 'NaN', '-0', '0x10', 'null', 'true', '[object Object]', '2026-02-30T00:00:00Z'],
    ...['x'.repeat(101), 'x'.repeat(10_000), '𝒳'.repeat(100_000)],
    ...NAMES,
  ),
);

const nested = (depth: number): unknown => {
  let value: unknown = 'deep';
  for (let level = 0; level < depth; level++) value = level % 2 ? [value] : { value };
  return value;
};

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -1e308,
    2 ** 53,
    {},
    [],
    [[]],
    [null],
  ),
  fc.double({ noNaN: true }),
  fc.jsonValue({ stringUnit: 'binary' }),
  fc.constantFrom(nested(20), nested(31), nested(1000), Array(5000).fill(0)),
  fc.constantFrom(...POLLUTERS).map((text): unknown => JSON.parse(text)),
  fc.array(hostileText, { maxLength: 4 }),
);

export const hostileBytes = fc.oneof(
  hostileText,
  fc.uint8Array({ maxLength: 100 }),
  fc.constantFrom(
    ...POLLUTERS,
    ...['{', '{"name":', '[1,]', 'nul', '{"a":1}{"b":2}', '\ufeff{}', '"\\ud800"', '{"name":"\0"}'],
    '['.repeat(100_000),
    '{"a":'.repeat(10_000),
    `{"name": "${'x'.repeat(1024 * 1024)}"}`,
  ),
);

export const hostileSegment = fc.oneof(
  hostileText.map(
    (text) => encodeURIComponent(text.toWellFormed()).slice(0, MAX_SEGMENT_LENGTH) || '%20',
  ),
  fc.constantFrom(
    ...['%', '%ff', '%00', '%2F', '%2e%2e', '..', '.', '*', ':kb_id', '{kb_id}', ';', '%F0%9F'],
    ...NAMES,
  ),
);

export const hostileHeader = fc.constantFrom<string | string[]>(
  ...['', ' ', 'a,b', 'a b', 'x'.repeat(300), 'caf\u00e9', 'a\tb', '__proto__', '"', '%00'],
  ['a', 'b'],
  ['a', 'a'],
);

export const CONTENT_TYPES = [
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  ...['multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'nonsense', '', '*/*'],
  ...['application/json;;', 'APPLICATION/JSON', 'application/problem+json', '__proto__'],
];
