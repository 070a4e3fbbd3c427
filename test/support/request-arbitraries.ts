import fc from 'fast-check';
import {
  CONTENT_TYPES,
  hostileBytes,
  hostileHeader,
  hostileSegment,
  hostileText,
  hostileValue,
  NAMES,
} from './hostile-values.js';
import {
  type OpenApiDocument,
  type Operation,
  type OperationObject,
  type Parameter,
  parametersOf,
} from './operations.js';
import { type RequestSource, valueOf } from './schema-arbitraries.js';

/** A request, byte for byte but for what HTTP itself needs. */
export interface RawRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: string | Uint8Array | undefined;
}

/** The parts of a request, before they are written down. */
interface Parts {
  ids: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string | string[]>;
  /** JSON, or bytes to send as they are. */
  body: { json: unknown } | { raw: string | Uint8Array } | undefined;
}

const MAX_QUERY_CHARACTERS = 300;

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
  const parameters = parametersOf(document, objectOf(document, operation));
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

/** Adds a field, which may be `__proto__`, to any JSON value. */
const withField = (json: unknown, name: string, value: unknown): unknown =>
  Object.fromEntries([
    ...(typeof json === 'object' && json !== null ? Object.entries(json) : []),
    [name, value],
  ]);

function validParts(source: RequestSource): fc.Arbitrary<Parts> {
  const { document, operation, userId } = source;
  const described = objectOf(document, operation);
  const { requestBody } = described;
  const parameters = parametersOf(document, described);
  const inQuery = (required: boolean) =>
    parameters.filter((one) => one.in === 'query' && one.required === required);
  // Documents have few pages: of ten random numbers not one may be the number of a page.
  const value = ({ name, schema = {} }: Parameter) =>
    name === 'page' ? fc.constantFrom('1', '2') : valueOf(source, name, schema).map(String);
  const pairs = (some: Parameter[]) =>
    some
      // Only the service knows what a cursor, a link or a passage is.
      .filter(({ name }) => !['cursor', 'link', 'highlight'].includes(name))
      .map((parameter) => fc.tuple(fc.constant(parameter.name), value(parameter)));
  const body = requestBody?.content['application/json']?.schema;
  return fc.record({
    ids: fc.constant({ ...source.ids }).map((ids) => ({ ...ids })),
    query: fc
      .tuple(
        fc.tuple(...pairs(inQuery(true))),
        fc.tuple(
          ...pairs(inQuery(false)).map((pair) => fc.option(pair, { nil: undefined, freq: 1 })),
        ),
      )
      .map((both) => both.flat().filter((pair) => pair !== undefined)),
    headers: fc.constant(null).map((): Parts['headers'] => ({
      ...(operation.managed && { 'x-idp-user-id': userId }),
      ...(operation.bearerOnly && { authorization: `Bearer ${source.secret}` }),
      ...(operation.protocol === 'MCP' && { accept: 'application/json, text/event-stream' }),
      ...(body && { 'content-type': 'application/json' }),
    })),
    body: body ? fc.record({ json: valueOf(source, '', body) }) : fc.constant(undefined),
  });
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
