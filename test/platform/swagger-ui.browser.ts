import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { eventually, Service } from '../support/service.js';
import { type Changes, SwaggerUi } from '../support/swagger-ui.js';
import { tool } from '../support/requirement.js';

const ANSWER = 'Customers may return any order within 30 days of delivery.';

const chromium = tool('Chromium', hasChromium);

/** An explorer's first visit: each step takes what the step before has shown. */
chromium.describe('Swagger UI', () => {
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
    // Shorter than a test may take, so that it says what it waited for.
    page.setDefaultTimeout(60_000);
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
    await page?.locator('.info').getByText('Try it in five steps').waitFor();
    await page?.locator('.info summary').click();
    expect(await page?.locator('.info details').innerText()).toContain('RateLimit-Policy');
  });

  it('fits a phone', async () => {
    const page = browser.contexts()[0]?.pages()[0];
    const usual = page?.viewportSize();
    await page?.setViewportSize({ width: 390, height: 844 });
    const width = () => page?.evaluate('document.documentElement.scrollWidth');
    expect(await width()).toBe(390);
    for (const operation of ['chat', 'createDocument', 'listConversations']) {
      await ui.open(operation);
      expect([operation, await width()]).toEqual([operation, 390]);
    }
    if (usual) await page?.setViewportSize(usual);
  });

  it('finds operations by words', async () => {
    const page = await browser.newPage();
    const faults = complaintsOf(page);
    await page.goto(`${service.url}/docs`);
    const tags = page.locator('.opblock-tag');
    // Of a long list, only what is in sight is drawn.
    const drawn = new Set<string>();
    await tags.first().waitFor();
    await eventually(async () => {
      for (const tag of await tags.allInnerTexts()) drawn.add(tag);
      await page.mouse.wheel(0, 600);
      return drawn.size > 15;
    });
    await new SwaggerUi(page).find('delete webhooks');
    const found = page.locator('.opblock-tag-section .opblock:visible');
    await eventually(async () => (await found.count()) === 1);
    expect(await found.innerText()).toContain('/api/v1/webhooks/{webhook_id}');
    await new SwaggerUi(page).find('');
    await tags.first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  // With a reference to itself, parts that are merged, and shared answers.
  it('resolves references as Swagger UI does, without reading the whole contract', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.url}/docs`);
    const [ours, theirs] = await page.evaluate<[string, string]>(`(async () => {
      const { paths, ...rest } = await (await fetch('/openapi.json')).json();
      const ids = ['chat', 'rotateApiKey', 'listDocuments'];
      const isMeant = (item) => Object.values(item).some((one) => ids.includes(one.operationId));
      const some = Object.entries(paths).filter(([, item]) => isMeant(item));
      const contract = { ...rest, paths: Object.fromEntries(some) };
      const [shown, usual] = [ui, SwaggerUIBundle({ domNode: document.createElement('div') })];
      const url = location.origin + '/openapi.json';
      const sorted = (_, node) =>
        node?.constructor === Object ? Object.fromEntries(Object.entries(node).sort()) : node;
      const resolved = [shown, usual].map(async ({ getSystem }) =>
        getSystem().fn.resolveSubtree(contract, ['paths'], { baseDoc: url }));
      return (await Promise.all(resolved)).map(({ spec, errors }) =>
        JSON.stringify([spec, errors], sorted).replaceAll('"$ref":"' + url, '"$ref":"'));
    })()`);
    expect(JSON.parse(ours)).toEqual(JSON.parse(theirs));
    await page.context().close();
  });

  it('leads through its steps with nothing to copy, and sends the key in one place', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.url}/docs`);
    const steps = new SwaggerUi(page);
    const step = (name: string) => page.locator('.info a', { hasText: name }).click();
    await step('Authorize');
    await page.locator('.dialog-ux').waitFor();
    await page.locator('.dialog-ux #api_key_value').fill('alice');
    await page.keyboard.press('Enter');
    await page.locator('.dialog-ux').getByRole('button', { name: 'Close' }).first().click();
    await step('Create a knowledge base');
    const kb = JSON.parse((await steps.execute('createKnowledgeBase')).text) as { id: string };
    await step('Add a document');
    const document = JSON.parse((await steps.execute('createDocument')).text) as { kb_id: string };
    expect(document.kb_id).toBe(kb.id);
    await eventually(async () => (await steps.execute('getDocument')).text.includes('"ready"'));
    await step('Create an API key');
    const key = JSON.parse((await steps.execute('createApiKey')).text) as { api_key: string };
    await step('Ask a question');
    expect((await steps.execute('chat')).text).toContain(ANSWER);
    await page.locator('.btn.authorize').click();
    const bearer = page.locator('.dialog-ux #auth-bearer-value').first();
    await bearer.fill(key.api_key);
    await bearer.press('Enter');
    await page.locator('.dialog-ux').getByRole('button', { name: 'Close' }).first().click();
    const body = (await steps.open('chat')).locator('textarea.body-param__text');
    expect(await body.inputValue()).not.toContain('api_key');
    expect((await steps.execute('chat')).text).toContain(ANSWER);
    await step('revoke it');
    expect(await steps.execute('revokeApiKey')).toMatchObject({ status: 200 });
    expect((await steps.execute('chat')).text).toContain('"api_key_revoked"');
    await page.context().close();
  });

  it('leads to the contract as JSON and as YAML', async () => {
    const links = browser.contexts()[0]?.pages()[0]?.locator('nav a');
    expect(await links?.allInnerTexts()).toEqual(['openapi.json', 'openapi.yaml']);
  });

  it('shows an operation on a few screens, and the example of a refusal on request', async () => {
    const chat = await ui.open('chat');
    expect((await chat.boundingBox())?.height).toBeLessThan(2700);
    const refusal = chat.locator('tr.response[data-code="default"]');
    expect(await refusal.innerText()).toContain('api_key_revoked');
    expect(await refusal.innerText()).not.toContain('request_id');
    await refusal.getByRole('button', { name: 'Example' }).click();
    expect(await refusal.locator('.microlight').innerText()).toContain('"request_id"');
  });

  it('tells who has not authorized that they must', async () => {
    const { status, text } = await ui.execute('listKnowledgeBases');
    expect([status, text]).toEqual([
      401,
      expect.stringContaining('The header X-Idp-User-Id is missing'),
    ]);
    complaints.splice(0, 1);
  });

  it('creates a knowledge base for whoever has', async () => {
    await ui.authorize('alice');
    const { status, text } = await ui.execute('createKnowledgeBase');
    expect(status).toBe(201);
    ({ id: kbId } = JSON.parse(text) as { id: string });
  });

  it('adds a document, again if asked to, and shows when it is ready', async () => {
    const parameters = { kb_id: kbId };
    expect(await ui.execute('createDocument', { parameters })).toMatchObject({ status: 202 });
    const { status, text } = await ui.execute('createDocument', { parameters });
    expect(status).toBe(202);
    ({ id: documentId } = JSON.parse(text) as { id: string });
    await eventually(async () => {
      const parameters = { document_id: documentId };
      return (await ui.execute('getDocument', { parameters })).text.includes('"ready"');
    });
  });

  it('uploads one file after the other', async () => {
    for (const name of ['opening.txt', 'closing.txt', 'closing.txt']) {
      const { status, text } = await ui.execute('createDocument', {
        parameters: { kb_id: kbId },
        file: { name, mimeType: 'text/plain', buffer: Buffer.from(`Open at nine, says ${name}.`) },
      });
      expect([status, JSON.parse(text)]).toEqual([
        202,
        expect.objectContaining({ title: name, mime_type: 'text/plain', external_id: null }),
      ]);
    }
  });

  it('creates an API key, whose secret can be copied', async () => {
    const { status, text } = await ui.execute('createApiKey', { parameters: { kb_id: kbId } });
    expect(status).toBe(201);
    const shown = JSON.parse(text) as { id: string; api_key: string };
    expect(JSON.parse(await ui.copyAnswer('createApiKey'))).toEqual(shown);
    ({ id: keyId, api_key: secret } = shown);
  });

  it.each(['chat', 'query'])('answers a question asked with it twice: %s', async (operation) => {
    for (let time = 0; time < 2; time++) {
      const { status, text } = await ui.execute(operation, { body: { api_key: secret } });
      expect([status, text]).toEqual([200, expect.stringContaining(ANSWER)]);
    }
  });

  it('rates the answer, and changes settings, members, the key and the document, twice', async () => {
    const { text } = await ui.execute('chat', { body: { api_key: secret } });
    const { message_id } = JSON.parse(text) as { message_id: string };
    const changes: [string, Changes][] = [
      ['giveFeedback', { parameters: { message_id }, body: { api_key: secret } }],
      ['updateSettings', { parameters: { kb_id: kbId } }],
      ['updateKnowledgeBase', { parameters: { kb_id: kbId } }],
      ['putMember', { parameters: { kb_id: kbId, user_id: 'bob' } }],
      ['updateApiKey', { parameters: { key_id: keyId } }],
      ['updateDocument', { parameters: { document_id: documentId } }],
      ['reportLeakedApiKeys', {}],
    ];
    for (const [operation, change] of [...changes, ...changes]) {
      const { status } = await ui.execute(operation, change);
      expect([operation, status]).toEqual([operation, 200]);
    }
    expect(await ui.execute('chat', { body: { api_key: secret } })).toMatchObject({ status: 200 });
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

  it('streams the answer', async () => {
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
