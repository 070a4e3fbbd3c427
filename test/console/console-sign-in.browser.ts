import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page as BrowserPage } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { ANSWER, ConsolePage, QUESTION, PAGES } from '../support/console.js';
import { hasNginx, Nginx } from '../support/nginx.js';
import { freePort } from '../support/postgres.mjs';
import { eventually, Service } from '../support/service.js';
import { SignInProvider } from '../support/sign-in-provider.js';
import { tool } from '../support/requirement.js';

const GATEWAY_SECRET = 'gateway-secret-0123456789-abcdefghijkl';
const TOKEN_SECONDS = 4;
const chromium = tool('Chromium', hasChromium);
const nginx = tool('nginx', hasNginx);

chromium.describe('signing in to the console', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let complaints: string[];

  beforeAll(async () => {
    browser = await openBrowser();
  });
  beforeEach(async () => {
    context = await browser.newContext();
    page = await context.newPage();
    complaints = complaintsOf(page);
  });
  afterEach(() => context.close());
  afterAll(() => browser.close());

  /** All of the console, without loading the page again. */
  async function walk(): Promise<void> {
    await site.createKnowledgeBase('Handbook');
    await site.upload('returns.md', ANSWER);
    for (const tab of PAGES) {
      await site.openPage(tab);
      if (tab === 'Playground') await site.ask(QUESTION);
    }
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.getByRole('link', { name: 'Latchkey' }).click();
    await page.getByRole('heading', { name: 'Knowledge bases' }).waitFor();
  }

  /** Types a name, loses the session, signs in again by `how`, and uses the name. */
  async function expectKept(
    loseSession: () => Promise<void>,
    how: (popup: BrowserPage) => unknown,
  ) {
    await site.button('Create knowledge base').click();
    await page.getByLabel('Name').fill('Typed before');
    await loseSession();
    await site.button('Create').click();
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    const [popup] = await Promise.all([page.waitForEvent('popup'), site.button('Sign in').click()]);
    await how(popup);
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor({ state: 'detached' });
    await eventually(() => popup.isClosed());
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed before');
    await site.button('Create').click();
    await page.locator('strong', { hasText: 'Typed before' }).first().waitFor();
  }

  nginx.describe('behind a gateway', () => {
    let signIn: Server;
    let service: Service;
    let nginx: Nginx;

    beforeAll(async () => {
      // Whoever comes to its page is signed in as alice, and led back.
      signIn = createServer(({ headers, url = '' }, response) => {
        const { pathname, searchParams } = new URL(url, 'http://gateway');
        const [, user] = /session=(\w+)/.exec(headers.cookie ?? '') ?? [];
        if (pathname === '/oauth2/sign_in') {
          const location = searchParams.get('rd') ?? '/';
          response.writeHead(302, { location, 'set-cookie': 'session=alice; Path=/' }).end();
        } else if (user) response.writeHead(202, { 'X-Auth-Request-User': user }).end();
        else response.writeHead(401).end();
      }).listen(0, '127.0.0.1');
      await once(signIn, 'listening');
      service = await Service.start({
        DASHBOARD_AUTH_MODE: 'gateway',
        GATEWAY_SECRETS: GATEWAY_SECRET,
        TRUSTED_PROXY_CIDRS: '127.0.0.1',
      });
      const { port } = signIn.address() as AddressInfo;
      const upstreams = { latchkey: new URL(service.url).host, signIn: `127.0.0.1:${port}` };
      nginx = await Nginx.start(upstreams, GATEWAY_SECRET);
    });
    beforeEach(async () => {
      site = new ConsolePage(page, nginx.url);
      await page.goto(`${nginx.url}/console/`);
      await page.getByRole('heading', { name: 'Knowledge bases' }).waitFor();
    });
    afterAll(async () => {
      await Promise.all([nginx.stop(), service.stop()]);
      signIn.close();
    });

    it('just works: every page, and answers while they are written', walk);

    it('keeps what was typed when the session is over', async () => {
      await expectKept(
        () => context.clearCookies(),
        () => undefined,
      );
    });
  });

  describe('at an identity provider', () => {
    let provider: SignInProvider;
    let service: Service;

    beforeAll(async () => {
      const port = String(await freePort());
      provider = await SignInProvider.start(`http://127.0.0.1:${port}`, TOKEN_SECONDS);
      service = await Service.start({ ...provider.environment, PORT: port });
    });
    beforeEach(async () => {
      site = new ConsolePage(page, service.url);
      await page.goto(`${site.url}/console/audit?actor=alice`);
      await site.button('Sign in').click();
      await page.locator('input[name=login]').fill('alice');
      await page.locator('input[name=password]').fill('any');
      await page.getByRole('button', { name: 'Sign-in' }).click();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('heading', { name: 'Audit' }).waitFor();
      // The provider's page asks for fonts of another site.
      complaints.length = 0;
    });
    afterAll(() => Promise.all([service.stop(), provider.stop()]));

    it('leads back to the page that was asked for, and keeps tokens in memory alone', async () => {
      expect(page.url()).toBe(`${site.url}/console/audit?actor=alice`);
      await site.button('alice').waitFor();
      const traces = await site.traces();
      expect(traces).not.toMatch(/eyJ|code=|refresh/);
    });

    it('shows every page, with a token that is renewed silently', async () => {
      let renewals = 0;
      page.on('request', (request) => {
        if (request.postData()?.includes('grant_type=refresh_token')) renewals++;
      });
      await page.getByRole('link', { name: 'Latchkey' }).click();
      await walk();
      await eventually(async () => {
        await page.getByRole('link', { name: 'Audit' }).click();
        await page.getByRole('link', { name: 'Latchkey' }).click();
        return renewals > 1;
      });
      await page.getByRole('heading', { name: 'Knowledge bases' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    it('signs in again without a click when it is reloaded, and goes on without a refresh token', async () => {
      let silent = 0;
      page.on('request', (request) => {
        if (request.url().includes('prompt=none')) silent++;
      });
      await page.reload();
      await page.getByRole('heading', { name: 'Audit' }).waitFor();
      expect(page.url()).toBe(`${site.url}/console/audit?actor=alice`);
      await page.getByTitle('alice').waitFor();
      expect(await site.traces()).not.toMatch(/eyJ|code=|refresh/);
      await eventually(async () => {
        await page.getByRole('link', { name: 'Latchkey' }).click();
        await page.getByRole('link', { name: 'Audit' }).click();
        return silent > 2;
      });
      await page.getByRole('heading', { name: 'Audit' }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('asks for a click once the provider’s session is over', async () => {
      await context.clearCookies();
      await page.reload();
      await site.button('Sign in').waitFor();
      expect(page.url()).toBe(`${site.url}/console/audit?actor=alice`);
      expect(await site.traces()).not.toMatch(/error=|state=/);
      let silent = 0;
      page.on('request', (request) => {
        if (request.url().includes('prompt=none')) silent++;
      });
      await page.reload();
      await site.button('Sign in').waitFor();
      expect(silent).toBe(0);
    });

    it('does not sign in by itself after signing out', async () => {
      await site.signOut();
      await page.waitForURL(`${provider.issuer}/**`, { waitUntil: 'commit' });
      await page.goto(`${site.url}/console/`);
      await site.button('Sign in').waitFor();
    });

    it('keeps what was typed when the session is over, also if the window was closed', async () => {
      await page.getByRole('link', { name: 'Latchkey' }).click();
      await page.getByRole('heading', { name: 'Knowledge bases' }).waitFor();
      await expectKept(
        // The provider renews nothing any more, and the service takes the token no longer.
        async () => {
          await page.route(`${provider.issuer}/token`, async (route) => {
            if (route.request().postData()?.includes('refresh_token')) await route.abort();
            else await route.continue();
          });
          await page.route('**/api/v1/kbs', async (route) => {
            const { authorization: _, ...headers } = route.request().headers();
            await route.continue({ headers });
            await page.unroute('**/api/v1/kbs');
          });
        },
        async (closed) => {
          await closed.close();
          const [popup] = await Promise.all([
            page.waitForEvent('popup'),
            site.button('Open the window again').click(),
          ]);
          await popup.getByRole('button', { name: 'Continue' }).click();
        },
      );
    });
  });
});
