import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from './support/browser.js';
import { Client, type IssuedApiKey, type KnowledgeBase, outcome } from './support/client.js';
import { hasNginx, Nginx } from './support/nginx.js';
import type { OpenApiDocument } from './support/operations.js';
import { eventually, Service } from './support/service.js';

const SECRET = 'gateway-secret-0123456789-abcdefghijkl';
const KEY = /^rag_(live|test)_[0-9A-Za-z]{48}$/;
const SESSION = { cookie: 'session=alice' };

const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
const counts = '/api/v1/kbs/{kb_id}/analytics' in paths;
const possible = hasChromium && hasNginx;
if (!possible) {
  console.warn('Chromium or nginx is not installed: examples/dashboard is NOT TESTED in this run');
}

(possible ? describe : describe.skip)('examples/dashboard', () => {
  let signIn: Server;
  let service: Service;
  let nginx: Nginx;
  let browser: Browser;
  let page: Page;
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

  it('tells what is wrong with what was typed', async () => {
    await page.getByLabel('Where is it used?').fill(' ');
    await button('Create').click();
    await page.getByRole('alert').filter({ hasText: 'name must' }).waitFor();
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/ 400 /.test(one)));
  });

  (counts ? it : it.skip)('draws how often was asked', async () => {
    await page.getByRole('img', { name: /questions, at most/ }).waitFor();
    await page.getByText(/^\d+ questions, at most \d+ a day/).waitFor();
  });

  it('has room on a phone for what can be done with a key', async () => {
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
    const analyticsAbsent = (one: string) => !counts && /404 .*\/analytics$/.test(one);
    expect(complaints.filter((one) => !analyticsAbsent(one))).toEqual([]);
  });

  it('says so when the session has ended', async () => {
    await page.context().clearCookies();
    await page.getByLabel('Where is it used?').fill('Too late');
    await button('Create').click();
    await page.getByText('You are signed out').waitFor();
  });
});
