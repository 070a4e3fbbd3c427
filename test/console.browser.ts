import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, BrowserContext, Page as BrowserPage } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from './support/browser.js';
import { Client } from './support/client.js';
import { freePort } from './support/postgres.mjs';
import { newUserId, sharedService, type SharedService } from './support/shared-service.js';
import { SignInProvider } from './support/sign-in-provider.js';
import { Service } from './support/service.js';
import { hasTool } from './support/tool.js';

const SECRET = /rag_(live|test)_[0-9A-Za-z]{48}/;
const ANSWER = 'Customers may return any order within 30 days of delivery.';
const QUESTION = 'How long may customers return an order?';
const SECTIONS = [
  ...['documents', 'playground', 'keys', 'conversations', 'analytics'],
  ...['evaluations', 'webhooks', 'members', 'audit', 'settings'],
];
const possible = hasTool('Chromium', hasChromium, 'the console is');

(possible ? describe : describe.skip)('the console', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  const button = (page: BrowserPage, name: string) =>
    page.getByRole('button', { name, exact: true });

  async function signIn(page: BrowserPage, url: string, user: string): Promise<void> {
    await page.goto(url);
    await page.getByLabel('User id').fill(user);
    await button(page, 'Sign in').click();
    await page.getByRole('heading', { name: 'Knowledge bases' }).waitFor();
  }

  describe('in mode trust', () => {
    let service: SharedService;
    let context: BrowserContext;
    let page: BrowserPage;
    let complaints: string[];
    let user: string;
    let alice: Client;

    beforeAll(async () => {
      service = await sharedService();
    });
    beforeEach(async () => {
      user = newUserId('console');
      alice = new Client(service, user);
      context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
      await context.grantPermissions(['clipboard-read', 'clipboard-write']);
      page = await context.newPage();
      complaints = complaintsOf(page);
    });

    it('leads from an empty database to the first answer', async () => {
      await signIn(page, `${service.url}/console`, user);
      await button(page, 'New knowledge base').click();
      await page.getByLabel('Name').fill('Handbook');
      await button(page, 'Create').click();
      await page.getByText('No documents yet').waitFor();
      const file = { name: 'returns.md', mimeType: 'text/markdown', buffer: Buffer.from(ANSWER) };
      await page.locator('input[type=file]').setInputFiles([file]);
      await page.locator('.badge.ready').waitFor();
      await page.getByRole('link', { name: 'Playground' }).click();
      await page.getByLabel('Question').fill(QUESTION);
      await page.getByLabel('Question').press('Enter');
      await page.getByText('Answered by extractive').waitFor();
      expect(await page.locator('.answer > p').first().innerText()).toContain(ANSWER);

      await button(page, 'Show source 1').click();
      expect(await page.locator('#source-1 mark').innerText()).toContain('within 30 days');
      expect(complaints).toEqual([]);
    });

    it('shows the secret of a key once, and keeps nothing of it', async () => {
      const kb = await alice.createKnowledgeBase();
      await signIn(page, `${service.url}/console`, user);
      await page.goto(`${service.url}/console/kbs/${kb.id}/keys`);
      await button(page, 'New API key').click();
      await page.getByLabel('Name').fill('backend');
      // A double click makes one key.
      await button(page, 'Issue key').dblclick();
      const secret = (await page.locator('.secret').innerText()).trim();
      expect(secret).toMatch(SECRET);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      expect(await page.locator('.secret').innerText()).toContain(secret);
      await button(page, 'Copy').click();
      await page.getByText('Copied.').waitFor();
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret);
      await button(page, 'I have stored it').click();
      await page.getByRole('cell', { name: 'backend' }).waitFor();
      const traces = await page.evaluate<string[]>(
        '[document.documentElement.outerHTML, location.href, JSON.stringify([localStorage, sessionStorage])]',
      );
      expect(traces.join('')).not.toMatch(SECRET);
      const { body } = await alice.get<{ data: unknown[] }>(`/kbs/${kb.id}/api-keys`);
      expect(body.data).toHaveLength(1);
    });

    it('revokes a key after it has said what breaks', async () => {
      const kb = await alice.createKnowledgeBase();
      const key = await alice.createApiKey(kb.id);
      await alice.query(key.api_key, 'Anything?');
      await signIn(page, `${service.url}/console`, user);
      await page.goto(`${service.url}/console/kbs/${kb.id}/keys`);
      await button(page, key.name).click();
      await button(page, 'Revoke…').click();
      await button(page, 'Revoke key').click();
      await page.getByText('Every request with it is refused').waitFor();
      expect((await alice.query(key.api_key, 'Anything?')).status).toBe(401);
    });

    it('shows hostile names and texts as texts', async () => {
      const name = '<img src=x onerror=alert(1)>';
      const kb = await alice.createKnowledgeBase(name);
      await alice.addDocument(kb.id, { title: name, text: `${name} says hello.` });
      await signIn(page, `${service.url}/console`, user);
      await page.goto(`${service.url}/console/kbs/${kb.id}/documents`);
      await page.getByRole('link', { name }).click();
      await page.getByText(`${name} says hello.`).waitFor();
      expect(await page.locator('main img').count()).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('deletes a knowledge base only when its name was typed', async () => {
      const kb = await alice.createKnowledgeBase('Old handbook');
      await signIn(page, `${service.url}/console`, user);
      await page.goto(`${service.url}/console/kbs/${kb.id}/settings`);
      await button(page, 'Delete Old handbook…').click();
      await page.getByLabel('to confirm').fill('Another');
      await button(page, 'Delete knowledge base').click();
      expect((await alice.get(`/kbs/${kb.id}`)).status).toBe(200);
      await page.getByLabel('to confirm').fill('Old handbook');
      await button(page, 'Delete knowledge base').click();
      await page.getByText('Old handbook is deleted.').waitFor();
      expect((await alice.get(`/kbs/${kb.id}`)).status).toBe(404);
    });

    it('goes back to what was shown, and shares it by its address', async () => {
      const kb = await alice.createKnowledgeBase();
      for (const title of ['First', 'Second'])
        await alice.addDocument(kb.id, { title, text: title });
      await signIn(page, `${service.url}/console`, user);
      await page.goto(`${service.url}/console/kbs/${kb.id}/documents`);
      await page.getByLabel('Search titles').fill('First');
      await button(page, 'Search').click();
      await page.getByRole('link', { name: 'Second' }).waitFor({ state: 'detached' });
      const address = page.url();
      await page.getByRole('link', { name: 'First' }).click();
      await page.getByText('1 passage').waitFor();
      await page.goBack();
      expect(page.url()).toBe(address);
      await page.reload();
      await page.getByRole('link', { name: 'First' }).waitFor();
      expect(await page.getByRole('link', { name: 'Second' }).count()).toBe(0);
    });

    it.each(['light', 'dark'] as const)(
      'has no fault that axe finds on any page, %s',
      async (theme) => {
        const kb = await alice.createKnowledgeBase();
        await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
        const { api_key } = await alice.createApiKey(kb.id);
        await alice.chat(api_key, QUESTION);
        await page.emulateMedia({ colorScheme: theme });
        await page.goto(`${service.url}/console`);
        await page.getByLabel('User id').waitFor();
        await expectNoFaults(page, 'sign-in');
        await signIn(page, `${service.url}/console`, user);
        await expectNoFaults(page, 'knowledge bases');
        for (const section of SECTIONS) {
          await page.goto(`${service.url}/console/kbs/${kb.id}/${section}`);
          await page.locator('[aria-current=page]').waitFor();
          await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
          await expectNoFaults(page, section);
        }
      },
    );

    it('fits a phone', async () => {
      const kb = await alice.createKnowledgeBase('A handbook with quite a long name');
      await alice.addDocument(kb.id, {
        title: 'A-title-without-any-space'.repeat(5),
        text: ANSWER,
      });
      await alice.createApiKey(kb.id);
      await page.setViewportSize({ width: 390, height: 800 });
      await signIn(page, `${service.url}/console`, user);
      for (const section of SECTIONS) {
        await page.goto(`${service.url}/console/kbs/${kb.id}/${section}`);
        await page.locator('[aria-current=page]').waitFor();
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        expect([section, width]).toEqual([section, 390]);
      }
    });
  });

  it('says that the service is away, and goes on when it is back', async () => {
    const port = String(await freePort());
    let service = await Service.start({ PORT: port });
    const { environment } = service;
    const page = await browser.newPage();
    await signIn(page, `${service.url}/console`, 'alice');
    await service.stop();
    await button(page, 'New knowledge base').click();
    await page.getByLabel('Name').fill('Typed before');
    await button(page, 'Create').click();
    await page.getByText('The service does not answer. What you see').waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed before');
    service = await Service.start({ ...environment, PORT: port });
    await page
      .getByText('The service does not answer. What you see')
      .waitFor({ state: 'detached' });
    await button(page, 'Create').click();
    await page.getByText('No documents yet').waitFor();
    await page.close();
    await service.stop();
  });

  it('signs in at the identity provider, keeps tokens in memory, and keeps what was typed', async () => {
    const port = String(await freePort());
    const provider = await SignInProvider.start(`http://localhost:${port}`);
    const service = await Service.start({ ...provider.environment, PORT: port });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`http://localhost:${port}/console`);
    await button(page, 'Sign in').click();
    await page.locator('input[name=login]').fill('alice');
    await page.locator('input[name=password]').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Knowledge bases' }).waitFor();
    await page.getByText('alice').waitFor();
    expect(page.url()).not.toContain('code=');
    const stored = await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])');
    expect(stored).not.toMatch(/eyJ/);
    await button(page, 'New knowledge base').click();
    await page.getByLabel('Name').fill('Of Alice');
    await button(page, 'Create').click();
    await page.getByText('No documents yet').waitFor();
    await context.close();
    await Promise.all([service.stop(), provider.stop()]);
  });

  it('loads at most 150 kB at first, compressed', () => {
    const folder = 'dist/console';
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = [...html.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    );
    expect(first.length).toBeGreaterThan(1);
    const bytes = first.map((file) => gzipSync(readFileSync(join(folder, file))).length);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(150_000);
    expect(readdirSync(join(folder, 'assets')).length).toBeGreaterThan(first.length);
  });
});

async function expectNoFaults(page: BrowserPage, name: string): Promise<void> {
  // The page's policy lets no script in but its own.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<AxeResults>('axe.run()');
  const faults = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
  );
  expect([name, faults]).toEqual([name, []]);
}
