import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import {
  isNullable,
  type OpenApiDocument,
  openApiDocument,
  resolve,
  responseOf,
  type ResponseObject,
  type Schema,
} from '../support/operations.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

interface Link {
  operationId: string;
  parameters?: Record<string, string>;
  requestBody?: Record<string, string>;
}

interface LinkedOperation {
  operationId: string;
  responses: Record<string, ResponseObject & { links?: Record<string, Link> }>;
}

const run = promisify(execFile);
const committed = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({
    ...withResponses(operation as unknown as LinkedOperation),
    path,
    operation,
  })),
);
const links = operations.flatMap(({ operationId, responses }) =>
  Object.entries(responses).flatMap(([status, { links = {}, content = {} }]) =>
    Object.values(links).map((link) => ({
      name: `${operationId} (${status}) to ${link.operationId}`,
      link,
      answer: resolve(committed, Object.values(content)[0]?.schema ?? {}),
    })),
  ),
);
const idPatterns = operations.flatMap(({ operation }) =>
  (operation.parameters ?? [])
    .filter((one) => one.in === 'path')
    .flatMap(({ schema }) => (schema?.pattern === undefined ? [] : [schema.pattern])),
);
const told = operations.flatMap(({ operationId, operation, responses }) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {}, links: from = {} }]) =>
      fieldsOf(content['application/json']?.schema ?? {})
        .filter(({ schema }) => !isNullable(schema) && idPatterns.includes(schema.pattern ?? ''))
        .filter(({ schema: { pattern } }) =>
          (operation.parameters ?? []).every(({ schema }) => schema?.pattern !== pattern),
        )
        .map(({ path }) => ({ operationId, path, from: JSON.stringify(from) })),
    ),
);

describe('openapi.json', () => {
  let service: SharedService;

  beforeAll(async () => {
    service = await sharedService();
  });

  it('is what the code says; after a change of the contract: npm run openapi', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'open-api-')), 'openapi.json');
    await run(process.execPath, ['dist/src/operations/write-open-api.js', file], { env: {} });
    expect(readFileSync(file, 'utf8')).toBe(readFileSync('openapi.json', 'utf8'));
  });

  it('is what the service serves', async () => {
    expect(await openApiDocument(service)).toEqual(committed);
  });

  it('is what the generated types say; after a change of the contract: npm run openapi', async () => {
    await run(process.execPath, ['scripts/openapi-types.mjs', '--check']);
  });

  it('names each operation once, as a generated client can call it', () => {
    const told = Object.values(committed.webhooks).map(({ post }) => post?.operationId ?? '');
    const ids = [...operations.map(({ operationId }) => operationId), ...told];
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it.each(links)('links $name by what the answer has and the request takes', ({ link, answer }) => {
    const target = operations.find(({ operationId }) => operationId === link.operationId);
    const parameters = (target?.operation.parameters ?? []).map(({ name }) => name);
    const fields = fieldsOf(answer).map(({ path }) => path);
    for (const [name, expression] of Object.entries(link.parameters ?? {})) {
      expect(parameters).toContain(name);
      expect(fields).toContain(rows(expression.replace('$response.body#/', '')));
    }
    const body = target?.operation.requestBody?.content['application/json']?.schema ?? {};
    for (const [name, expression] of Object.entries(link.requestBody ?? {})) {
      expect(fieldsOf(body).map(({ path }) => path)).toContain(name);
      const [, field] = /^\$response\.body#\/(.*)/.exec(expression) ?? [];
      if (field !== undefined) expect(fields).toContain(rows(field));
    }
  });

  it.each(told)('leads on from $path of $operationId, which its request did not name', (id) => {
    expect(rows(id.from)).toContain(`$response.body#/${id.path}"`);
  });

  it('says of each answer what it is, and of each refusal what to do', () => {
    for (const { responses } of operations) {
      for (const { description } of Object.values(responses)) expect(description).not.toBe('');
    }
    const revoked = operations.find(({ operationId }) => operationId === 'chat')?.responses['401'];
    expect(revoked?.description).toContain('There is no way back: create a new key');
  });

  it('says each refusal once, with an example of every code', () => {
    const answers = Object.entries(committed.paths)
      // It answers in the words of JSON-RPC, too.
      .filter(([path]) => path !== '/mcp')
      .flatMap(([, methods]) =>
        Object.values(methods).flatMap(({ responses }) => Object.entries(responses)),
      );
    const refusals = answers.filter(([status]) => /^[45]/.test(status));
    expect(refusals.filter(([, { $ref }]) => $ref === undefined)).toEqual([]);
    for (const [name, { content }] of Object.entries(committed.components.responses)) {
      const problem = content?.['application/problem+json'];
      if (problem) {
        const codes = problem.schema.allOf?.[1]?.properties?.['code']?.enum;
        expect(Object.keys(problem.examples ?? {})).toEqual(codes);
      } else {
        const codes = Object.keys(content?.['application/json']?.examples ?? {});
        expect(name).toMatch(new RegExp(`^\\w+ErrorDto-${codes.join('-')}$`));
      }
    }
  });

  it('groups operations in the order in which people meet them', () => {
    const groups = operations.map(({ operation }) => operation.tags?.[0] ?? '');
    const order = committed.tags.map(({ name }) => name);
    expect(groups).toEqual(order.flatMap((tag) => groups.filter((group) => group === tag)));
    expect(order.filter((tag) => !groups.includes(tag))).toEqual([]);
    expect(order.slice(0, 4)).toEqual(['Knowledge bases', 'Documents', 'API keys', 'Ask']);
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((_, index) => groups[index] === 'Ask')).toEqual([
      ...['query', 'chat', 'giveFeedback'],
    ]);
  });

  it('names the headers that answers have', async () => {
    const alice = new Client(service, newUserId('alice'));
    const { id } = await alice.createKnowledgeBase();
    const { api_key } = await alice.createApiKey(id, { rate_limit_per_minute: 1 });
    const partner = new Client(service);
    const asked = operations.find(({ operationId }) => operationId === 'query');
    for (const answer of [
      await partner.query(api_key, 'Hello'),
      await partner.query(api_key, 'Hello'),
      await partner.query('nonsense', 'Hello'),
    ]) {
      const documented = Object.keys(asked?.responses[String(answer.status)]?.headers ?? {});
      expect(documented).toContain('X-Request-Id');
      for (const name of documented) expect(answer.headers.get(name)).not.toBeNull();
    }
  });
});

/** Those that are shared, in their places. */
function withResponses({ operationId, responses }: LinkedOperation): LinkedOperation {
  return {
    operationId,
    responses: Object.fromEntries(
      Object.keys(responses).flatMap((status) => {
        const response = responseOf(committed, { responses }, status);
        return response ? [[status, response]] : [];
      }),
    ),
  };
}

/** Of an answer, those within rows too, and those of what a schema is put together from. */
function fieldsOf(schema: Schema): { path: string; schema: Schema }[] {
  const { properties = {}, allOf = [], anyOf = [], oneOf = [] } = resolve(committed, schema);
  return [
    ...Object.entries(properties).flatMap(([path, field]) => [
      { path, schema: field },
      ...(field.items ? fieldsOf(field.items) : []).map((one) => ({
        ...one,
        path: `${path}/*/${one.path}`,
      })),
    ]),
    ...[...allOf, ...anyOf, ...oneOf].flatMap(fieldsOf),
  ];
}

/** A pointer to a field of any row, instead of one of a certain row. */
function rows(pointer: string): string {
  return pointer.replace(/\/\d+\//g, '/*/');
}
