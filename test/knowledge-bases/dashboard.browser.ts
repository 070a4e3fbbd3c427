import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page as BrowserPage } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import {
  type ApiKey,
  Client,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
  type Page,
} from '../support/client.js';
import { hasNginx, Nginx } from '../support/nginx.js';
import { installedExample } from '../support/packed-client.js';
import { eventually, Service } from '../support/service.js';
import { tool } from '../support/requirement.js';

const SECRET = 'gateway-secret-0123456789-abcdefghijkl';
const KEY = /^rag_(live|test)_[0-9A-Za-z]{48}$/;
const SESSION = { cookie: 'session=alice' };

const needed = tool('Chromium', hasChromium).and(tool('nginx', hasNginx));

needed.describe('examples/dashboard', () => {
  let signIn: Server;
  let service: Service;
  let nginx: Nginx;
  let browser: Browser;
  let page: BrowserPage;
  let complaints: string[];

  beforeAll(async () => {
    signIn = createServer(({ headers }, response) => {
      const [, user] = /session=(\w+)/.exec(headers.cookie ?? '') ?? [];
      response.writeHead(user ? 202 : 401, user ? { 'X-Auth-Request-User': user } : {}).end();
    }).listen(0, '127.0.0.1');
    await once(signIn, 'listening');
    [service, browser] = await Promise.all([
      Service.start({
        DASHBOARD_AUTH_MODE: 'gateway',
        GATEWAY_SECRETS: SECRET,
        TRUSTED_PROXY_CIDRS: '127.0.0.1',
      }),
      openBrowser(),
    ]);
    const { port } = signIn.address() as AddressInfo;
    const latchkey = new URL(service.url).host;
    nginx = await Nginx.start({ latchkey, signIn: `127.0.0.1:${port}` }, SECRET);
    const folder = await installedExample('dashboard');
    await promisify(execFile)('npm', ['run', 'client'], { cwd: folder });
    const client = 'latchkey-client';
    cpSync(join(folder, client), join(nginx.directory, 'dashboard', client), { recursive: true });
    const gateway = new Client(nginx);
    // A name that would run, were it taken for HTML.
    const name = '<img src=x onerror=alert(1)>';
    const kb = (await gateway.post<KnowledgeBase>('/kbs', { name }, SESSION)).body;
    const key = { name, environment: 'test' };
    await gateway.post<IssuedApiKey>(`/kbs/${kb.id}/api-keys`, key, SESSION);
    const context = await browser.newContext();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await context.addCookies([{ name: 'session', value: 'alice', url: nginx.url }]);
    page = await context.newPage();
    complaints = complaintsOf(page);
    await page.goto(`${nginx.url}/dashboard/`);
  });

  afterAll(async () => {
    await browser.close();
    await Promise.all([nginx.stop(), service.stop()]);
    signIn.close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name }).first();
  const query = (secret: string) => new Client(nginx).query(secret, 'Hello?');

  async function takeSecret(): Promise<string> {
    await button('Copy').click();
    await page.getByText('Copied.').waitFor();
    const secret = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(await page.locator('#secret').innerText()).toBe(secret);
    await button('I have stored it').click();
    await eventually(async () => !(await page.content()).includes(secret));
    return secret;
  }

  it('lists what people named as text, under a policy that lets no script in', async () => {
    await row('<img src=x').waitFor();
    const { headers } = await fetch(`${nginx.url}/dashboard/`, { headers: SESSION });
    expect(headers.get('content-security-policy')).toContain(`script-src 'self'`);
    const injected = page.addScriptTag({ content: 'document.title = "injected"' });
    await expect(injected).rejects.toThrow(/Content Security Policy/);
    complaints.length = 0;
  });

  it('shows the files to nobody who has not signed in', async () => {
    for (const file of ['', 'dashboard.js', '..%2fnginx.conf']) {
      expect((await fetch(`${nginx.url}/dashboard/${file}`)).status).toBe(401);
    }
  });

  it('shows a new secret once, to copy; rotates and revokes, the use shown first', async () => {
    await page.getByLabel('Where is it used?').fill('Shop backend');
    await button('Create').click();
    const first = await takeSecret();
    expect(first).toMatch(KEY);
    expect(outcome(await query(first))).toBe('200');
    await eventually(async () => {
      await page.reload();
      await row('Shop backend').waitFor();
      return !(await row('Shop backend').innerText()).includes('never');
    });

    await button('Rotate Shop backend').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.innerText()).toContain('This key is in use.');
    await page.getByLabel('The old key goes on for').selectOption('0');
    await button('Rotate').click();
    const second = await takeSecret();
    expect(outcome(await query(first))).toBe('401 api_key_expired');
    expect(outcome(await query(second))).toBe('200');
    await page.locator('#main:not([aria-busy=true])').waitFor();

    await button('Revoke Shop backend').click();
    await dialog.getByText('Requests in 24 hours').waitFor();
    await button('Cancel').click();
    expect(outcome(await query(second))).toBe('200');
    await button('Revoke Shop backend').click();
    await button('Revoke for good').click();
    await page.getByText('Shop backend is revoked.').waitFor();
    expect(outcome(await query(second))).toBe('401 api_key_revoked');
    expect(await row('Shop backend').innerText()).toContain('revoked');
  });

  const keysOf = async (kbId: string) =>
    (await new Client(nginx).call<Page<ApiKey>>('GET', `/kbs/${kbId}/api-keys`, undefined, SESSION))
      .body.data;

  /** Shows a new knowledge base. */
  async function openKnowledgeBase(name: string): Promise<string> {
    const { id } = (await new Client(nginx).post<KnowledgeBase>('/kbs', { name }, SESSION)).body;
    await page.reload();
    await page.getByLabel('Knowledge base').selectOption(id);
    await page.getByText('There are no keys yet.').waitFor();
    return id;
  }

  it('makes one key of a double click, and opens one dialog', async () => {
    const kbId = await openKnowledgeBase('Clicked twice');
    await page.getByLabel('Where is it used?').fill('Impatient');
    await button('Create').dblclick();
    await takeSecret();
    await row('Impatient').waitFor();
    expect((await keysOf(kbId)).map(({ name }) => name)).toEqual(['Impatient']);

    await button('Rotate Impatient').dblclick();
    await page.getByRole('dialog').getByText('Requests in 24 hours').waitFor();
    await button('Cancel').click();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('makes one key when the answer was lost and a person asks again', async () => {
    const kbId = await openKnowledgeBase('Lost');
    await page.route('**/api-keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByLabel('Where is it used?').fill('Shop backend');
    await button('Create').click();
    await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
    await page.unroute('**/api-keys');
    await button('Create').click();
    expect(outcome(await query(await takeSecret()))).toBe('200');
    expect(await keysOf(kbId)).toHaveLength(1);
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/ERR_FAILED/.test(one)));
  });

  it('keeps a new secret in sight until the person has stored it', async () => {
    await openKnowledgeBase('Kept');
    await page.getByLabel('Where is it used?').fill('Shop backend');
    await button('Create').click();
    const secret = await page.locator('#secret').filter({ hasText: KEY }).innerText();
    for (const key of ['Escape', 'Escape', 'Escape']) {
      await page.keyboard.press(key);
      await page.getByText('Store the secret first').waitFor();
      expect(await page.locator('#secret').innerText()).toBe(secret);
      expect(await page.getByRole('dialog', { name: 'The new secret' }).isVisible()).toBe(true);
    }
    const asked = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe('beforeunload');
    await dialog.dismiss();
    expect(await takeSecret()).toBe(secret);
  });

  it('says of a rotated key until when it goes on, and of one that has ended that it has', async () => {
    const kbId = await openKnowledgeBase('States');
    const gateway = new Client(nginx);
    const create = async (name: string, more: object = {}) =>
      (
        await gateway.post<IssuedApiKey>(
          `/kbs/${kbId}/api-keys`,
          { name, environment: 'live', ...more },
          SESSION,
        )
      ).body;
    const rotate = ({ id }: IssuedApiKey, grace_period_seconds: number) =>
      gateway.post(`/api-keys/${id}/rotate`, { grace_period_seconds }, SESSION);
    await rotate(await create('Going'), 3600);
    await rotate(await create('Gone'), 0);
    await create('Dated', { expires_at: '2099-05-06T12:00:00Z' });
    await page.reload();
    await page.getByLabel('Knowledge base').selectOption(kbId);
    await row('Dated').waitFor();
    const states = async (name: string) =>
      (
        await page.getByRole('row').filter({ hasText: name }).locator('td.state').allInnerTexts()
      ).map((state) => state.replace(/ (\d|\w+ \d).*/, ' <time>'));
    expect(await states('Going')).toEqual(['active', 'rotated, ends <time>']);
    expect(await states('Gone')).toEqual(['active', 'rotated, ended <time>']);
    expect(await row('Dated').innerText()).toMatch(/active until .*2099/);
  });

  it('tells what is wrong with what was typed', async () => {
    await page.getByLabel('Where is it used?').fill(' ');
    await button('Create').click();
    await page.getByRole('alert').filter({ hasText: 'name must' }).waitFor();
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/ 400 /.test(one)));
  });

  it('has room on a phone for what can be done with a key', async () => {
    const kb = await page.getByRole('option', { name: '<img src=x' }).getAttribute('value');
    await page.getByLabel('Knowledge base').selectOption(kb);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    const { x = 0, width = 0 } =
      (await button('Revoke <img src=x onerror=alert(1)>').boundingBox()) ?? {};
    expect([x > 0, x + width < 390]).toEqual([true, true]);
  });

  it('names every field and button for those who do not see them', async () => {
    const unnamed = await page.evaluate<string[]>(`
      [...document.querySelectorAll('button, input, select')]
        .filter((one) => !(one.labels?.length || one.textContent.trim() || one.ariaLabel))
        .map((one) => one.outerHTML)
    `);
    expect(unnamed).toEqual([]);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
  });

  it('complains of nothing in its console', () => {
    expect(complaints).toEqual([]);
  });

  it('says so when the session has ended', async () => {
    await page.context().clearCookies();
    await page.getByLabel('Where is it used?').fill('Too late');
    await button('Create').click();
    await page.getByText('You are signed out').waitFor();
  });
});
