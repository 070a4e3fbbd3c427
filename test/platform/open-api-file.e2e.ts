import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import {
  type OpenApiDocument,
  openApiDocument,
  type OperationObject,
  problemsOf,
  responseOf,
} from '../support/operations.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';

const run = promisify(execFile);
const committed = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
const operations = Object.values(committed.paths).flatMap((methods) => Object.values(methods));
const idsOf = (all: readonly OperationObject[]) => all.map(({ operationId }) => operationId);

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

  it('is what docs/settings.md says; after a change of the contract: npm run openapi', async () => {
    await run(process.execPath, ['scripts/settings-table.mjs', '--check']);
  });

  it('is what docs/errors.md says; after a change of the problems: npm run openapi', async () => {
    await run(process.execPath, ['scripts/problems-table.mjs', '--check']);
  });

  it('names each operation once, as a generated client can call it', () => {
    const events = Object.values(committed.webhooks).flatMap((methods) => Object.values(methods));
    const ids = idsOf([...operations, ...events]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z]+$/);
  });

  it('is short enough to be read by programs that pay by the word', () => {
    expect(readFileSync('openapi.json').length).toBeLessThanOrEqual(360_000);
  });

  it('can be read by code generators', () => {
    const text = JSON.stringify(committed);
    expect(text).not.toContain('"type":"null"');
    for (const [list] of text.matchAll(/"type":\[[^\]]*\]/g)) {
      expect(list).toMatch(/^"type":\["[a-z]+","null"\]$/);
    }
    expect(committed.components.schemas['ApiKeyPage']?.required).toEqual(
      expect.arrayContaining(['data', 'next_cursor']),
    );
    const tagsOf = (paths: OpenApiDocument['paths']) =>
      Object.values(paths).flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags));
    const ofPaths = new Set(tagsOf(committed.paths));
    expect(tagsOf(committed.webhooks).filter((tag) => ofPaths.has(tag))).toEqual([]);
  });

  it('says once what several objects have in the same words', () => {
    const { schemas } = committed.components;
    expect(schemas['KnowledgeBaseDto']?.properties?.['id']).toEqual({
      $ref: '#/components/schemas/KbId',
    });
    expect(schemas['KbId']?.pattern).toMatch(/^\^kb_/);
    expect(schemas['ChatDto']?.properties?.['filter']).toEqual(
      schemas['QueryDto']?.properties?.['filter'],
    );
    expect(schemas['QueryFilter']?.allOf).toEqual([{ $ref: '#/components/schemas/Filter' }]);
    expect(schemas['CompoundFilterDto']?.properties?.['filters']?.items).toEqual({
      $ref: '#/components/schemas/Filter',
    });
    expect(schemas['Filter']?.oneOf).toHaveLength(4);
    expect(JSON.stringify(committed)).not.toContain('x-name');
    expect(schemas['IssuedApiKeyDto']?.allOf?.[0]).toEqual({
      $ref: '#/components/schemas/ApiKeyDto',
    });
  });

  it('says of each answer what it is', () => {
    for (const operation of operations) {
      for (const status of Object.keys(operation.responses)) {
        expect(responseOf(committed, operation, status)?.description).toMatch(/./);
      }
    }
  });

  it('lists the codes of each operation by status, each of them explained in docs/errors.md', () => {
    const chat = operations.find(({ operationId }) => operationId === 'chat');
    expect(chat?.responses['default']?.$ref).toBe('#/components/responses/ApiKeyBodyProblem');
    expect(chat && problemsOf(committed, chat)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^- 401 .*`api_key_revoked`/),
        expect.stringMatching(/^- 403 `insufficient_scope`/),
        '- 504 `model_timeout`',
      ]),
    );
    const rotate = operations.find(({ operationId }) => operationId === 'rotateApiKey');
    expect(rotate && problemsOf(committed, rotate)).toContainEqual(
      expect.stringMatching(/^- 409 .*`api_key_revoked`/),
    );
    expect(committed.info.description).toContain('/docs/guide/errors');
    const explained = readFileSync('docs/errors.md', 'utf8');
    expect(explained).toContain('This cannot be undone: create a new key');
    for (const operation of operations) {
      const codes =
        problemsOf(committed, operation)
          .join()
          .match(/(?<=`)\w+(?=`)/g) ?? [];
      expect(codes).toContain('internal_error');
      for (const code of codes) expect(explained).toContain(`| \`${code}\``);
    }
  });

  it('groups operations in the order in which people meet them', () => {
    const groups = operations.map(({ tags }) => tags?.[0] ?? '');
    const order = committed.tags.map(({ name }) => name);
    expect(groups).toEqual(order.flatMap((tag) => groups.filter((group) => group === tag)));
    // Webhooks have a tag of their own, since generators make a file of each.
    expect(order.filter((tag) => !groups.includes(tag))).toEqual(['Events']);
    expect(order.slice(0, 4)).toEqual(['Knowledge bases', 'Documents', 'API keys', 'Ask']);
    const ids = idsOf(operations);
    expect(ids.filter((_, index) => groups[index] === 'Ask')).toEqual([
      ...['query', 'chat', 'giveFeedback'],
    ]);
  });

  it('names the headers that answers have', async () => {
    const alice = new Client(service, newUserId('alice'));
    const { id } = await alice.createKnowledgeBase();
    const { api_key } = await alice.createApiKey(id, { rate_limit_per_minute: 1 });
    const partner = new Client(service);
    const query = operations.find(({ operationId }) => operationId === 'query');
    expect(committed.info.description).toContain('`X-Request-Id`, which every answer has');
    for (const name of ['RateLimit', 'RateLimit-Policy']) {
      expect(committed.info.description).toContain(`\`${name}\``);
    }
    for (const answer of [
      await partner.query(api_key, 'Hello'),
      await partner.query(api_key, 'Hello'),
      await partner.query('nonsense', 'Hello'),
    ]) {
      const response = query && responseOf(committed, query, String(answer.status));
      // What every answer has, or every success of a limited operation, stands once, in the introduction.
      const documented =
        answer.status === 200
          ? ['RateLimit', 'RateLimit-Policy']
          : Object.keys(response?.headers ?? {});
      expect(answer.headers.get('X-Request-Id')).toMatch(/./);
      if (answer.status !== 200) expect(documented).toContain('X-Request-Id');
      // That of a refusal says with which statuses it comes.
      const sent = documented.filter((name) => name !== 'Retry-After' || answer.status === 429);
      for (const name of sent) expect(answer.headers.get(name)).not.toBeNull();
    }
  });
});
