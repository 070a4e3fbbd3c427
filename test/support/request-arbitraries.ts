import fc from 'fast-check';
import {
  type OpenApiDocument,
  type Operation,
  type OperationObject,
  type Parameter,
  resolve,
  type Schema,
} from './operations.js';

/** A request, byte for byte but for what HTTP itself needs. */
export interface RawRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array | undefined;
}

/** What requests are made from. */
export interface RequestSource {
  readonly document: OpenApiDocument;
  readonly operation: Operation;
  readonly userId: string;
  readonly secret: string;
  /** The caller's own, by the name of the path parameter. */
  readonly ids: Readonly<Record<string, string>>;
  readonly foreignIds: Readonly<Record<string, string>>;
}

/** The parts of a request, before they are written down. */
interface Parts {
  ids: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string | string[]>;
  /** JSON, or bytes to send as they are. */
  body: { json: unknown } | { raw: string | Uint8Array } | undefined;
}

// Node itself refuses more than 16 KiB of request line and headers.
const MAX_SEGMENT_LENGTH = 2000;
const MAX_QUERY_CHARACTERS = 300;

/** Names that mean something to JavaScript, or to our own tables. */
const NAMES = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON'],
  ...['id', 'kb_id', 'state', 'owner', 'role', 'created_at', 'created_by', 'sha256', 'secret'],
];

const POLLUTERS = [
  '{"__proto__": {"polluted": true}}',
  '{"constructor": {"prototype": {"polluted": true}}}',
  '{"name": "x", "__proto__": {"polluted": true}, "metadata": {"__proto__": {"polluted": 1}}}',
];

const hostileText = fc.oneof(
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

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
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

const hostileBytes = fc.oneof(
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

const hostileSegment = fc.oneof(
  hostileText.map(
    (text) => encodeURIComponent(text.toWellFormed()).slice(0, MAX_SEGMENT_LENGTH) || '%20',
  ),
  fc.constantFrom(
    ...['%', '%ff', '%00', '%2F', '%2e%2e', '..', '.', '*', ':kb_id', '{kb_id}', ';', '%F0%9F'],
    ...NAMES,
  ),
);

const hostileHeader = fc.constantFrom<string | string[]>(
  ...['', ' ', 'a,b', 'a b', 'x'.repeat(300), 'caf\u00e9', 'a\tb', '__proto__', '"', '%00'],
  ['a', 'b'],
  ['a', 'a'],
);

const CONTENT_TYPES = [
  ...['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  ...['multipart/form-data; boundary=x', 'application/json; charset=utf-16', 'nonsense', '', '*/*'],
  ...['application/json;;', 'APPLICATION/JSON', 'application/problem+json', '__proto__'],
];

/** Requests that the OpenAPI document allows. */
export function validRequests(source: RequestSource): fc.Arbitrary<RawRequest> {
  return validParts(source).map((parts) => written(source, parts));
}

/** Requests that it allows, but for one thing or a few that are as wrong as can be. */
export function hostileRequests(source: RequestSource): fc.Arbitrary<RawRequest> {
  const mutations = fc.array(mutation(source), { minLength: 1, maxLength: 3 });
  return fc.tuple(validParts(source), mutations).map(([parts, changes]) => {
    for (const change of changes) change(parts);
    return written(source, parts);
  });
}

function mutation({ document, operation, ids, foreignIds }: RequestSource) {
  const { parameters = [] } = objectOf(document, operation);
  const queryNames = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  const fields = Object.keys(operation.body ?? {});
  const field = fc.constantFrom(
    ...fields,
    ...NAMES,
    'metadata',
    'description',
    'expires_at',
    'top_k',
  );
  const id = fc.constantFrom(...Object.keys(ids));
  type Change = (parts: Parts) => void;
  return fc.oneof<fc.Arbitrary<Change>[]>(
    fc.tuple(field, hostileValue).map(([name, value]) => (parts) => {
      const json = parts.body && 'json' in parts.body ? parts.body.json : {};
      parts.body = { json: withField(json, name, value) };
    }),
    hostileValue.map((json) => (parts) => {
      parts.body = { json };
    }),
    hostileBytes.map((raw) => (parts) => {
      parts.body = { raw };
    }),
    fc.constantFrom(...CONTENT_TYPES).map((type) => (parts) => {
      parts.headers['content-type'] = type;
    }),
    fc.tuple(id, hostileSegment).map(([name, segment]) => (parts) => {
      parts.ids[name] = segment;
    }),
    id.map((name) => (parts) => {
      parts.ids[name] = foreignIds[name] ?? '';
    }),
    fc
      .tuple(fc.constantFrom(...queryNames, ...NAMES, 'limit', 'limit[]', 'a[b]'), hostileText)
      .map(([name, value]) => (parts) => {
        parts.query.push([name, value.toWellFormed().slice(0, MAX_QUERY_CHARACTERS)]);
      }),
    fc
      .tuple(fc.constantFrom('idempotency-key', 'x-idp-user-id', 'x-request-id'), hostileHeader)
      .map(([name, value]) => (parts) => {
        parts.headers[name] = value;
      }),
  );
}

/** Of any JSON value, one with that field, which may be `__proto__`. */
const withField = (json: unknown, name: string, value: unknown): unknown =>
  Object.fromEntries([
    ...(typeof json === 'object' && json !== null ? Object.entries(json) : []),
    [name, value],
  ]);

function validParts(source: RequestSource): fc.Arbitrary<Parts> {
  const { document, operation, userId } = source;
  const { parameters = [], requestBody } = objectOf(document, operation);
  const inQuery = (required: boolean) =>
    parameters.filter((one) => one.in === 'query' && one.required === required);
  const value = ({ name, schema = {} }: Parameter) => valueOf(source, name, schema).map(String);
  const pairs = (some: Parameter[]) =>
    some
      // Only the service knows what a cursor is.
      .filter(({ name }) => name !== 'cursor')
      .map((parameter) => fc.tuple(fc.constant(parameter.name), value(parameter)));
  const body = requestBody?.content['application/json']?.schema;
  return fc.record({
    ids: fc.constant({ ...source.ids }).map((ids) => ({ ...ids })),
    query: fc
      .tuple(
        fc.tuple(...pairs(inQuery(true))),
        fc.tuple(...pairs(inQuery(false)).map((pair) => fc.option(pair, { nil: undefined }))),
      )
      .map((both) => both.flat().filter((pair) => pair !== undefined)),
    headers: fc.constant(null).map((): Parts['headers'] => ({
      ...(operation.managed && { 'x-idp-user-id': userId }),
      ...(operation.bearerOnly && { authorization: `Bearer ${source.secret}` }),
      ...(body && { 'content-type': 'application/json' }),
    })),
    body: body ? fc.record({ json: valueOf(source, '', body) }) : fc.constant(undefined),
  });
}

function valueOf(source: RequestSource, name: string, reference: Schema): fc.Arbitrary<unknown> {
  // What a schema cannot tell.
  if (name === 'api_key') return fc.constant(source.secret);
  if (name === 'conversation_id') return fc.constantFrom(null, source.ids['conversation_id']);
  if (name === 'allowed_ips')
    return fc.constantFrom(null, ['192.0.2.1'], ['2001:db8::/32', '10.0.0.0/8']);
  if (name === 'allowed_origins')
    return fc.constantFrom(null, [], ['https://shop.example.com', 'http://127.0.0.1:8080']);
  // Which together must leave room for each other.
  if (name === 'chunk_size') return fc.constantFrom(null, 100, 2000);
  if (name === 'chunk_overlap') return fc.constantFrom(null, 0, 49);
  if (name === 'external_ids') return fc.constantFrom(null, [source.ids['external_id']]);
  // Without documents:write, which stands beside no filter.
  if (name === 'scopes') return fc.constantFrom(['query'], ['chat', 'feedback', 'documents:read']);
  if (name === 'from') return fc.constantFrom(daysAgo(9), daysAgo(3.14));
  if (name === 'to') return fc.constantFrom(daysAgo(2), daysAgo(0));
  if (name === 'timezone') return fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu');
  const schema = resolve(source.document, reference);
  if (name === 'filters')
    return fc.array(flatFilter(source, schema), { minLength: 1, maxLength: 5 });
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map((one) => valueOf(source, '', one)));
  const own = schema.enum ? fc.constantFrom(...schema.enum) : valueOfType(source, schema);
  return schema.nullable ? fc.option(own) : own;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Of what a filter is made of, those that hold no filters: how deep they may lie no schema tells. */
function flatFilter(source: RequestSource, { items = {} }: Schema) {
  const flat = (items.oneOf ?? []).filter(
    (one) => !resolve(source.document, one).properties?.['filters'],
  );
  return fc.oneof(...flat.map((one) => valueOf(source, '', one)));
}

function valueOfType(source: RequestSource, schema: Schema): fc.Arbitrary<unknown> {
  const { required = [], properties = {} } = schema;
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? -(2 ** 31),
        max: schema.maximum ?? 2 ** 31 - 1,
      });
    case 'number':
      return fc.double({
        min: schema.minimum ?? -Number.MAX_VALUE,
        max: schema.maximum ?? Number.MAX_VALUE,
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'array':
      return arrayOf(source, schema);
    default:
      return schema.additionalProperties === true
        ? fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.oneof(text({}), fc.integer()))
        : fc
            .record(
              Object.fromEntries(
                Object.entries(properties).map(([name, field]) => [
                  name,
                  valueOf(source, name, field),
                ]),
              ),
              { requiredKeys: required },
            )
            .map((body) => withoutWriting(body, properties));
  }
}

/** The key that a request changes may have the scope that excludes a filter. */
const withoutWriting = (body: object, properties: object) =>
  'filter' in body && 'scopes' in properties ? { scopes: ['query'], ...body } : body;

function arrayOf(source: RequestSource, schema: Schema): fc.Arbitrary<unknown[]> {
  const item = valueOf(source, '', schema.items ?? {});
  const lengths = {
    minLength: schema.minItems ?? 0,
    maxLength: Math.min(schema.maxItems ?? 5, 5),
  };
  return schema.uniqueItems ? fc.uniqueArray(item, lengths) : fc.array(item, lengths);
}

function text({ format, example, pattern, minLength = 0, maxLength = 1000 }: Schema) {
  if (format !== undefined) return fc.constant(example);
  // No NUL, which no schema here forbids by itself: it is the one character that is never text.
  const any = (min: number, max: number) =>
    fc
      .string({ unit: 'binary', minLength: min, maxLength: max })
      .map((value) => value.replaceAll('\0', 'x'));
  if (pattern === '\\S') return any(minLength - 1, maxLength - 1).map((value) => `x${value}`);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return any(minLength, maxLength);
}

function objectOf(document: OpenApiDocument, { method, path }: Operation): OperationObject {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`No ${method} ${path}`);
  return operation;
}

function written({ operation }: RequestSource, { ids, query, headers, body }: Parts): RawRequest {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${operation.name}: which id is {${name}}?`);
    return id;
  });
  const search = new URLSearchParams(query).toString();
  return {
    method: operation.method,
    path: search === '' ? path : `${path}?${search}`,
    headers:
      body === undefined || 'content-type' in headers
        ? headers
        : { ...headers, 'content-type': 'application/json' },
    body: body && ('raw' in body ? body.raw : JSON.stringify(body.json)),
  };
}
