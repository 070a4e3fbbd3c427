import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from './support/browser.js';
import type { OpenApiDocument } from './support/operations.js';
import { eventually, Service } from './support/service.js';
import { SwaggerUi } from './support/swagger-ui.js';
import { hasTool } from './support/tool.js';

const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
const takesFiles =
  paths['/api/v1/kbs/{kb_id}/documents']?.['post']?.requestBody?.content['multipart/form-data'];
const streams = components.schemas['ChatDto']?.properties?.['stream'];
const ANSWER = 'Customers may return any order within 30 days of delivery.';

const possible = hasTool('Chromium', hasChromium, 'Swagger UI is');

/** An explorer's first visit: each step takes what the step before has shown. */
(possible ? describe : describe.skip)('Swagger UI', () => {
  let service: Service;
  let browser: Browser;
  let complaints: string[];
  let ui: SwaggerUi;
  let kbId: string;
  let documentId: string;
  let keyId: string;
  let secret: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([Service.start(), openBrowser()]);
    const context = await browser.newContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    complaints = complaintsOf(page);
    await page.goto(`${service.url}/docs`);
    ui = new SwaggerUi(page);
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('says what it is and how to begin', async () => {
    const page = browser.contexts()[0]?.pages()[0];
    expect(await page?.title()).toBe('Latchkey API');
    const text = await page?.locator('.info').innerText();
    expect(text).toContain('Try it in five steps');
    await page?.locator('.info summary').click();
    expect(await page?.locator('.info details').innerText()).toContain('api_key_revoked');
  });

  it('fits a phone', async () => {
    const page = browser.contexts()[0]?.pages()[0];
    const usual = page?.viewportSize();
    await page?.setViewportSize({ width: 390, height: 844 });
    expect(await page?.evaluate('document.documentElement.scrollWidth')).toBe(390);
    if (usual) await page?.setViewportSize(usual);
  });

  it('tells who has not authorized that they must', async () => {
    const { status, text } = await ui.execute('listKnowledgeBases');
    expect([status, text]).toEqual([401, expect.stringContaining('Send the header X-Idp-User-Id')]);
    complaints.splice(0, 1);
  });

  it('creates a knowledge base for whoever has', async () => {
    await ui.authorize('alice');
    const { status, text } = await ui.execute('createKnowledgeBase');
    expect(status).toBe(201);
    ({ id: kbId } = JSON.parse(text) as { id: string });
  });

  it('adds a document, and shows when it is ready', async () => {
    const { status, text } = await ui.execute('createDocument', { parameters: { kb_id: kbId } });
    expect(status).toBe(202);
    ({ id: documentId } = JSON.parse(text) as { id: string });
    await eventually(async () => {
      const parameters = { document_id: documentId };
      return (await ui.execute('getDocument', { parameters })).text.includes('"ready"');
    });
  });

  (takesFiles ? it : it.skip)('uploads a file', async () => {
    const { status } = await ui.execute('createDocument', {
      parameters: { kb_id: kbId },
      file: { name: 'opening.txt', mimeType: 'text/plain', buffer: Buffer.from('Open at nine.') },
    });
    expect(status).toBe(202);
  });

  it('creates an API key, whose secret can be copied', async () => {
    const { status, text } = await ui.execute('createApiKey', { parameters: { kb_id: kbId } });
    expect(status).toBe(201);
    const shown = JSON.parse(text) as { id: string; api_key: string };
    expect(JSON.parse(await ui.copyAnswer('createApiKey'))).toEqual(shown);
    ({ id: keyId, api_key: secret } = shown);
  });

  it('answers a question asked with it', async () => {
    const { status, text } = await ui.execute('chat', { body: { api_key: secret } });
    expect([status, text]).toEqual([200, expect.stringContaining(ANSWER)]);
  });

  it('lists, with the examples as they are, what there is', async () => {
    const parameters = { kb_id: kbId };
    const lists = ['listDocuments', 'listApiKeys', 'listConversations', 'listMembers'];
    for (const list of [...lists, 'listAuditEvents']) {
      const { status, text } = await ui.execute(list, { parameters });
      expect([list, status, text]).toEqual([list, 200, expect.stringMatching(/"total": [1-9]/)]);
    }
    for (const report of ['getAnalytics', 'listUnanswered', 'listTopDocuments', 'getSettings']) {
      expect([report, (await ui.execute(report, { parameters })).status]).toEqual([report, 200]);
    }
  });

  (streams ? it : it.skip)('streams the answer', async () => {
    const { text } = await ui.execute('chat', { body: { api_key: secret, stream: true } });
    expect(text).toContain('event: message_end');
  });

  it('shows the key’s use, revokes it, and then the key is refused', async () => {
    const parameters = { key_id: keyId };
    expect((await ui.execute('getApiKeyUsage', { parameters })).text).toContain('"safe_to_revoke"');
    expect(await ui.execute('revokeApiKey', { parameters })).toMatchObject({ status: 200 });
    const { status, text } = await ui.execute('chat', { body: { api_key: secret } });
    expect([status, text]).toEqual([401, expect.stringContaining('"api_key_revoked"')]);
  });

  it('has nothing in its console but that refusal', () => {
    expect(complaints).toEqual([expect.stringMatching(/status of 401 .*\/api\/v1\/chat$/)]);
  });
});
