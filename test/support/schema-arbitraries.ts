import fc from 'fast-check';
import {
  isNullable,
  type OpenApiDocument,
  type Operation,
  resolve,
  type Schema,
  typeOf,
} from './operations.js';

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

const QUESTION = 'How long may customers return an order?';

/** Fields of other protocols, whose parts depend on each other. */
const OTHER_PROTOCOLS: Readonly<Record<string, (source: RequestSource) => unknown[]>> = {
  method: () => ['ping', 'tools/list', 'tools/call', 'nothing'],
  // Elsewhere it is one of those that the operator lists.
  model: ({ ids, operation: { protocol } }) =>
    protocol === 'OpenAI' ? ['latchkey', ids['kb_id']] : [null, 'extractive'],
  input: () => [
    QUESTION,
    [{ role: 'user', content: QUESTION }],
    [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Good morning.' }] },
      { role: 'user', content: [{ type: 'input_text', text: QUESTION }] },
    ],
  ],
  messages: () => [
    [{ role: 'user', content: QUESTION }],
    [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: [{ type: 'text', text: 'Good morning.' }] },
      { role: 'user', content: [{ type: 'text', text: QUESTION }], name: 'customer' },
    ],
  ],
  query: ({ operation }) => [
    QUESTION,
    ...(operation.protocol === 'OpenAI' ? [[QUESTION, 'Orders']] : []),
  ],
  knowledge_id: ({ ids }) => [ids['kb_id']],
  metadata_condition: () => [
    null,
    { conditions: [{ name: 'year', comparison_operator: '≥', value: 2026 }] },
    {
      logical_operator: 'or',
      conditions: [{ name: ['a', 'b'], comparison_operator: 'not in', value: 'x, y' }],
    },
  ],
};

/** Any value that a schema allows. */
export function valueOf(
  source: RequestSource,
  name: string,
  reference: Schema,
): fc.Arbitrary<unknown> {
  // Rules that the schema does not express.
  if (name === 'api_key') return fc.constant(source.secret);
  if (name === 'conversation_id') return fc.constantFrom(null, source.ids['conversation_id']);
  if (name === 'allowed_ips')
    return fc.constantFrom(null, ['192.0.2.1'], ['2001:db8::/32', '10.0.0.0/8']);
  // Slack would be asked about any other one.
  if (name === 'bot_token') return fc.constant(null);
  if (name === 'origins') return fc.constantFrom(['https://shop.example.com', 'http://[::1]:8080']);
  if (name === 'allowed_origins')
    return fc.constantFrom(null, [], ['https://shop.example.com', 'http://127.0.0.1:8080']);
  // The overlap must be less than half of the passage, also when only one of them is sent.
  if (name === 'chunk_size') return fc.constantFrom(null, 100, 2000);
  if (name === 'chunk_overlap') return fc.constantFrom(null, 0, 49);
  if (name === 'kbs') return knowledgeBases(source);
  if (name === 'kb_ids') return fc.constant([source.ids['kb_id']]);
  if (name === 'external_ids') return fc.constantFrom(null, [source.ids['external_id']]);
  // Entries of another form are refused, and so are both of `access` and `access_set`.
  if (['principals', 'allow', 'deny'].includes(name))
    return fc.constantFrom([], ['user:anna'], ['group:a, b', 'user:anna']);
  // A budget has one unit.
  if (name === 'budget' || name === 'budget_per_end_user') {
    return fc.constantFrom(
      null,
      { messages: 1_000_000, period: 'day' },
      { cost: 0.5, period: 'month', soft: 0.8 },
    );
  }
  // Names that lead out of a folder are refused, and so are ids of directories that are none.
  if (source.operation.protocol === 'Open WebUI') {
    if (name === 'filename' || name === 'name') return fc.constantFrom('returns.md', 'a b.txt');
    if (name === 'path') return fc.constantFrom('', 'policies', 'policies/old');
    if (name === 'parent_id') return fc.constant(null);
  }
  if (name === 'access_set') return fc.constant(null);
  // A document does not supersede itself, and it ends after it begins.
  if (name === 'supersedes') return fc.constant(null);
  if (name === 'valid_from') return fc.constantFrom(null, '2026-01-01', daysAgo(9));
  if (name === 'date') return fc.constantFrom(null, '2026', '2026-11', '2026-11-01');
  if (name === 'valid_until') return fc.constantFrom(null, '2100-01-01');
  if (name === 'sources') return fc.constantFrom(null, [], [source.ids['document_id']]);
  // Without documents:write, which stands beside no filter.
  if (name === 'scopes' && source.operation.path.includes('/trusted-issuers')) {
    return fc.constantFrom(['query'], ['chat', 'feedback']);
  }
  if (name === 'issuer') return fc.constant('https://issuer.example.com');
  if (name === 'claims') return fc.constantFrom(null, {}, { ref: 'main', public: true });
  if (name === 'scopes') {
    return source.operation.path.includes('/service-accounts/')
      ? fc.constantFrom(['kbs:write'], ['keys:read', 'audit:read'])
      : fc.constantFrom(['query'], ['chat', 'feedback', 'documents:read']);
  }
  if (name === 'max_tokens' || name === 'max_completion_tokens')
    return fc.constantFrom(null, 1, 4096);
  if (name === 'from') return fc.constantFrom(daysAgo(9), daysAgo(3.14));
  if (name === 'to') return fc.constantFrom(daysAgo(2), daysAgo(0));
  if (name === 'timezone') return fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu');
  // Each kind of source has fields of its own.
  if (name === 'type' && source.operation.path.includes('/sources')) return fc.constant('folder');
  if (name === 'config') return fc.constant({ path: '/srv/docs' });
  if (name === 'credentials') return fc.constant(null);
  if (name === 'schedule') return fc.constantFrom(null, { every_minutes: 5 });
  if (name in OTHER_PROTOCOLS) return fc.constantFrom(...(OTHER_PROTOCOLS[name]?.(source) ?? []));
  const schema = resolve(source.document, reference);
  if (name === 'filters' && typeOf(schema) === 'array')
    return fc.array(flatFilter(source, schema), { minLength: 1, maxLength: 5 });
  if (schema.type === 'null') return fc.constant(null);
  // A reference with an example of its own.
  if (schema.allOf?.[0]) return valueOf(source, name, schema.allOf[0]);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return fc.oneof(...alternatives.map((one) => valueOf(source, name, one)));
  const own = schema.enum ? fc.constantFrom(...schema.enum) : valueOfType(source, schema);
  return isNullable(schema) && !schema.enum ? fc.option(own) : own;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** Generates filters that hold no other filters: no schema says how deeply filters may be nested. */
function flatFilter(source: RequestSource, { items = {} }: Schema) {
  const flat = (resolve(source.document, items).oneOf ?? []).filter(
    (one) => !resolve(source.document, one).properties?.['filters'],
  );
  return fc.oneof(...flat.map((one) => valueOf(source, '', one)));
}

function valueOfType(source: RequestSource, schema: Schema): fc.Arbitrary<unknown> {
  const { required = [], properties = {} } = schema;
  switch (typeOf(schema)) {
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
      if (typeof schema.additionalProperties === 'object') return mapOf(source, schema);
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

/** An object whose names are of no schema's choice, and whose values are of one kind. */
const mapOf = (
  source: RequestSource,
  { additionalProperties, propertyNames, minProperties = 0 }: Schema,
): fc.Arbitrary<unknown> =>
  fc.dictionary(
    fc.stringMatching(new RegExp(propertyNames?.pattern ?? '^[a-z]{1,8}$')),
    valueOf(source, '', typeof additionalProperties === 'object' ? additionalProperties : {}),
    { minKeys: minProperties, maxKeys: 5 },
  );

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

function text({ format, examples, pattern, minLength = 0, maxLength = 1000 }: Schema) {
  if (format !== undefined) return fc.constant(examples?.[0]);
  // No NUL, which no schema here forbids by itself: it is the one character that is never text.
  const any = (min: number, max: number) =>
    fc
      .string({ unit: 'binary', minLength: min, maxLength: max })
      .map((value) => value.replaceAll('\0', 'x'));
  if (pattern === '\\S') return any(minLength - 1, maxLength - 1).map((value) => `x${value}`);
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return any(minLength, maxLength);
}

function knowledgeBases({ operation, ids }: RequestSource): fc.Arbitrary<unknown> {
  const one = { kb_id: ids['kb_id'] };
  if (operation.path.includes('/service-accounts'))
    return fc.constantFrom([], [{ ...one, role: 'member' }]);
  return fc.constantFrom([one], [{ ...one, scopes: ['query'] }]);
}
