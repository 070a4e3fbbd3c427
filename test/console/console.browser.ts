import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page as BrowserPage } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { Client } from '../support/client.js';
import { ANSWER, ConsolePage, QUESTION, PAGES } from '../support/console.js';
import { figure } from '../support/figure.js';
import { freePort } from '../support/postgres.mjs';
import { Service } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { engine } from '../support/test-database.js';
import { tool } from '../support/requirement.js';

const BUDGET_BYTES = 170_000;
/** A minute, where nothing else runs. */
const WALK_MS = 180_000;
const chromium = tool('Chromium', hasChromium);

chromium.describe('the console', () => {
  let browser: Browser;
  let service: SharedService;
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let complaints: string[];
  let user: string;
  let alice: Client;

  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), sharedService()]);
  });
  beforeEach(async () => {
    user = newUserId('console');
    alice = new Client(service, user);
    context = await browser.newContext({
      viewport: { width: 1200, height: 900 },
      reducedMotion: 'reduce',
    });
    page = await context.newPage();
    site = new ConsolePage(page, service.url);
    complaints = complaintsOf(page);
  });
  afterEach(() => context.close());
  afterAll(() => browser.close());

  it('leads from an empty database to the first answer in minutes', async () => {
    const began = Date.now();
    await site.signIn(user);
    await site.createKnowledgeBase('Handbook');
    await site.upload('returns.md', ANSWER);
    await site.openPage('Playground');
    await site.ask(QUESTION);
    const took = Date.now() - began;
    figure(`${engine}: from signing in to the first answer in ${took} ms`);
    expect(took).toBeLessThan(WALK_MS);
    expect(await page.locator('.reply').innerText()).toContain(ANSWER);
    expect(complaints).toEqual([]);
  });

  it('goes back to what was shown, and shares it by its address', async () => {
    const kb = await alice.createKnowledgeBase();
    for (const title of ['First', 'Second']) await alice.addDocument(kb.id, { title, text: title });
    await site.signIn(user);
    await site.open(`/kbs/${kb.id}/documents`);
    await page.getByLabel('Search titles').fill('First');
    await page.getByRole('link', { name: 'Second' }).waitFor({ state: 'detached' });
    const address = page.url();
    await page.getByRole('link', { name: 'First' }).click();
    await page.getByText('1 passage').waitFor();
    // The link that had the focus is gone; the next Tab goes on from the content.
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.goBack();
    expect(page.url()).toBe(address);
    await page.reload();
    await page.getByRole('link', { name: 'First' }).waitFor();
    expect(await page.getByLabel('Search titles').inputValue()).toBe('First');
    expect(await page.getByRole('link', { name: 'Second' }).count()).toBe(0);
  });

  it('opens a dialog by its address, closes it with the back button, and gives the focus back', async () => {
    const kb = await alice.createKnowledgeBase();
    const key = await alice.createApiKey(kb.id);
    await site.signIn(user);
    await site.open(`/kbs/${kb.id}/keys`);
    await site.button(key.name).click();
    await page.getByRole('dialog', { name: key.name }).waitFor();
    const address = page.url();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe(key.name);
    await page.goto(address);
    await page.getByRole('dialog', { name: key.name }).waitFor();
  });

  it('shows hostile names and texts as texts', async () => {
    const name = '<img src=x onerror=alert(1)>';
    const kb = await alice.createKnowledgeBase(name);
    const document = { title: name, text: `${name} says hello.`, metadata: { [name]: name } };
    await alice.addDocument(kb.id, document);
    await alice.createApiKey(kb.id, { name, description: name });
    await site.signIn(user);
    for (const tab of ['documents', 'keys', 'audit']) {
      await site.open(`/kbs/${kb.id}/${tab}`);
      await page.getByText(name).first().waitFor();
    }
    await site.open(`/kbs/${kb.id}/documents`);
    await page.getByRole('link', { name }).click();
    await page.getByText(`${name} says hello.`).waitFor();
    await site.open(`/kbs/${kb.id}/playground?question=${encodeURIComponent(name)}`);
    await page.locator('.asked').getByText(name, { exact: true }).waitFor();
    expect(await page.locator('main img').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('does not undo in one tab what another has changed, nor change whose tab it is', async () => {
    const kb = await alice.createKnowledgeBase();
    await site.signIn(user);
    await site.open(`/kbs/${kb.id}/settings/answers`);
    const other = new ConsolePage(await context.newPage(), service.url);
    await other.open(`/kbs/${kb.id}/settings/answers`);
    await other.page.getByLabel('Earlier messages').fill('7');
    await other.button('Save').click();
    await other.page.getByText('The settings are saved.').waitFor();
    await other.open(`/kbs/${kb.id}/settings/documents`);
    expect(await other.page.getByLabel('Recognise scanned pages').inputValue()).toBe('auto');
    await other.page.getByLabel('Recognise scanned pages').selectOption('off');
    await other.button('Save').click();
    await other.page.getByText('The settings are saved.').waitFor();
    await page.getByLabel('Fallback message').fill('Ask Bob.');
    await site.button('Save').click();
    await page.getByText('The settings are saved.').waitFor();
    const { body } = await alice.get<{
      history_messages: number;
      refusal_text: string;
      ocr: string;
    }>(`/kbs/${kb.id}/settings`);
    expect([body.history_messages, body.refusal_text, body.ocr]).toEqual([7, 'Ask Bob.', 'off']);

    await other.signOut();
    await other.page.getByLabel('User id').fill('somebody-else');
    await other.button('Sign in').click();
    await other.page.getByText('Begin with a knowledge base').waitFor();
    await site.openPage('Members');
    await page.getByRole('cell', { name: user, exact: true }).waitFor();
  });

  it.each(['light', 'dark'] as const)(
    'has no fault that axe finds on any page, %s',
    async (theme) => {
      const kb = await alice.createKnowledgeBase();
      const access = { allow: ['everyone'], deny: ['group:guests'] };
      const document = await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER, access });
      await alice.createAccessSet(kb.id);
      const account = await alice.createServiceAccount(kb.id);
      await alice.createManagementKey(account.id, ['keys:read']);
      const { api_key, name } = await alice.createApiKey(kb.id);
      const { conversation_id } = (await alice.chat(api_key, QUESTION)).body;
      await alice.createWebhook(kb.id, 'https://hooks.example.com/latchkey');
      await alice.createEvaluation(kb.id);
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(`${service.url}/console`);
      await page.getByLabel('User id').waitFor();
      await site.expectNoFaults('sign-in');
      await site.signIn(user);
      await site.expectNoFaults('knowledge bases');
      await page.getByRole('link', { name: kb.name }).click();
      for (const tab of PAGES) {
        await site.openPage(tab);
        if (tab === 'Playground') await site.ask(QUESTION);
        await site.expectNoFaults(tab);
      }
      await site.open(`/kbs/${kb.id}/documents/${document.id}`);
      await site.expectNoFaults('document');
      await site.open(`/kbs/${kb.id}/conversations/${conversation_id}`);
      await site.expectNoFaults('conversation');
      await site.openPage('API keys');
      await site.button('Create API key').click();
      await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
      await site.expectNoFaults('new key');
      await page.keyboard.press('Escape');
      await site.button(name).click();
      await page
        .getByRole('img', { name: /in 14 days/ })
        .last()
        .waitFor();
      await site.expectNoFaults('key');
      await site.button('Revoke…').click();
      await site.expectNoFaults('revoke');
      await site.open('/service-accounts');
      await site.expectNoFaults('service accounts');
      await site.open(`/service-accounts/${account.id}`);
      await site.expectNoFaults('service account');
      await site.open('/audit');
      await site.expectNoFaults('audit of all');
      await site.open('/nowhere');
      await site.expectNoFaults('no such page');
    },
  );

  it('fits a phone', async () => {
    const kb = await alice.createKnowledgeBase('A handbook with quite a long name');
    const long = 'A-title-without-any-space'.repeat(5);
    const access = { allow: [`group:${long}`, `user:${user}`] };
    const document = await alice.addDocument(kb.id, { title: long, text: ANSWER, access });
    await alice.createApiKey(kb.id);
    await alice.createAccessSet(kb.id, { name: long.slice(0, 100), ...access });
    const account = await alice.createServiceAccount(kb.id);
    await alice.createManagementKey(account.id, ['keys:read', 'documents:write']);
    await page.setViewportSize({ width: 390, height: 800 });
    await site.signIn(user);
    await page.getByRole('link', { name: kb.name }).click();
    for (const tab of PAGES) {
      await site.openPage(tab);
      await site.expectLegible(tab);
    }
    for (const path of [
      `/kbs/${kb.id}/documents/${document.id}`,
      '/service-accounts',
      `/service-accounts/${account.id}`,
    ]) {
      await site.open(path);
      await site.expectLegible(path);
    }
  });

  it('says that the service is away, keeps what was typed, and goes on when it is back', async () => {
    const port = String(await freePort());
    let own = await Service.start({ PORT: port });
    const { environment } = own;
    const away = new ConsolePage(page, own.url);
    await away.signIn('alice');
    await away.button('Create knowledge base').waitFor();
    await own.stop();
    await away.button('Create knowledge base').click();
    await page.getByLabel('Name').fill('Typed before');
    await away.button('Create').click();
    const banner = page.getByText('The service does not answer. What you see');
    await banner.waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed before');
    own = await Service.start({ ...environment, PORT: port });
    await banner.waitFor({ state: 'detached' });
    await away.button('Create').click();
    await page.getByText('No documents yet').waitFor();

    // The script of a page that was not open yet.
    await page.route('**/assets/audit-*', (route) => route.abort());
    await page.getByRole('link', { name: 'Audit' }).first().click();
    await banner.waitFor();
    await page.unroute('**/assets/audit-*');
    await page.getByText('knowledge_base.created').waitFor();
    await own.stop();
  });

  it('loads at most 170 kB at first, compressed', () => {
    const folder = 'dist/console';
    const html = readFileSync(join(folder, 'index.html'), 'utf8');
    const first = [...html.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g)].map(
      ([, file = '']) => file,
    );
    expect(first.length).toBeGreaterThan(1);
    const bytes = first
      .map((file) => gzipSync(readFileSync(join(folder, file))).length)
      .reduce((sum, each) => sum + each, 0);
    figure(`the console loads ${bytes} bytes at first, compressed`);
    expect(bytes).toBeLessThan(BUDGET_BYTES);
    expect(readdirSync(join(folder, 'assets')).length).toBeGreaterThan(first.length);
  });
});
