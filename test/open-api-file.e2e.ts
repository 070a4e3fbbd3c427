import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from './support/client.js';
import { type OpenApiDocument, openApiDocument, resolve } from './support/operations.js';
import { Service } from './support/service.js';
import { engine } from './support/test-database.js';

interface Link {
  operationId: string;
  parameters?: Record<string, string>;
  requestBody?: Record<string, string>;
}

interface LinkedOperation {
  operationId: string;
  responses: Record<
    string,
    { links?: Record<string, Link>; content?: Record<string, { schema: object }>; headers: object }
  >;
}

const run = promisify(execFile);
const committed = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
const operations = Object.entries(committed.paths).flatMap(([path, methods]) =>
  Object.values(methods).map((operation) => ({
    ...(operation as unknown as LinkedOperation),
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

// Says nothing about the engine.
(engine === 'sqlite' ? describe : describe.skip)('openapi.json', () => {
  let service: Service;

  beforeAll(async () => {
    service = await Service.start();
  });

  afterAll(() => service.stop());

  it('is what the code says; after a change of the contract: npm run openapi', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'open-api-')), 'openapi.json');
    await run(process.execPath, ['dist/src/write-open-api.js', file], { env: {} });
    expect(readFileSync(file, 'utf8')).toBe(readFileSync('openapi.json', 'utf8'));
  });

  it('is what the service serves', async () => {
    expect(await openApiDocument(service)).toEqual(committed);
  });

  it('has nothing that Redocly’s recommended rules find', async () => {
    await run('npm', ['run', '--silent', 'lint:openapi']);
  });

  it('is what the generated types say; after a change of the contract: npm run openapi', async () => {
    await run('npm', ['run', '--silent', 'openapi:types', '--', '--check']);
  });

  it('names each operation once, as a generated client can call it', () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it.each(links)('links $name by what the answer has and the request takes', ({ link, answer }) => {
    const target = operations.find(({ operationId }) => operationId === link.operationId);
    const taken = (target?.operation.parameters ?? []).map(({ name }) => name);
    for (const [name, expression] of Object.entries(link.parameters ?? {})) {
      expect(taken).toContain(name);
      expect(fieldsOf(answer)).toContain(expression.replace('$response.body#/', ''));
    }
    const body = target?.operation.requestBody?.content['application/json']?.schema ?? {};
    for (const [name, expression] of Object.entries(link.requestBody ?? {})) {
      expect(fieldsOf(body)).toContain(name);
      const [, field] = /^\$response\.body#\/(.*)/.exec(expression) ?? [];
      if (field !== undefined) expect(fieldsOf(answer)).toContain(field);
    }
  });

  it('names the headers that answers have', async () => {
    const alice = new Client(service, 'alice');
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

  /** Also those of what a schema is put together from. */
  function fieldsOf(schema: object): string[] {
    const { properties = {}, allOf = [] } = resolve(committed, schema);
    return [...Object.keys(properties), ...allOf.flatMap(fieldsOf)];
  }
});
