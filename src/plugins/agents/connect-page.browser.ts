import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../../../test/support/browser.js';
import { Client, type IssuedApiKey, type KnowledgeBase } from '../../../test/support/client.js';
import { ConnectingAgent } from '../../../test/support/connecting-agent.js';
import { ConsolePage } from '../../../test/support/console.js';
import { tool } from '../../../test/support/requirement.js';
import { Service } from '../../../test/support/service.js';
import {
  newUserId,
  sharedService,
  type SharedService,
} from '../../../test/support/shared-service.js';

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };
const GATEWAY_SECRET = 'gateway-secret-0123456789-abcdefghijkl';

tool('Chromium', hasChromium).describe('the page on which an agent is connected', () => {
  let browser: Browser;
  let service: SharedService;
  let context: BrowserContext;
  let page: Page;
  let site: ConsolePage;
  let complaints: string[];
  let agent: ConnectingAgent;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), sharedService()]);
  });
  beforeEach(async () => {
    alice = new Client(service, newUserId('alice'));
    kb = await alice.createKnowledgeBase();
    key = await alice.createApiKey(kb.id);
    agent = await ConnectingAgent.start(service, 'Claude Code');
    await openContext();
  });
  afterEach(async () => {
    agent.stop();
    await context.close();
    expect(complaints).toEqual([]);
  });
  afterAll(() => browser.close());

  async function openContext(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
    await (context as BrowserContext | undefined)?.close();
    context = await browser.newContext(options);
    page = await context.newPage();
    site = new ConsolePage(page, service.url);
    complaints = complaintsOf(page);
  }

  const keyField = () => page.getByLabel('API key');
  const expectFaultless = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const size of [DESKTOP, PHONE]) {
        await page.setViewportSize(size);
        await site.expectNoFaults(`${name} ${colorScheme} ${size.width}`);
        await site.expectLegible(`${name} ${colorScheme} ${size.width}`);
      }
    }
  };
  /** A refusal is an error to the browser, which says so. */
  const forgiveRefusals = () => {
    const others = complaints.filter((one) => !/status of (400|401|403) /.test(one));
    complaints.splice(0, complaints.length, ...others);
  };

  it('connects it without JavaScript', async () => {
    await openContext({ javaScriptEnabled: false });
    const tokens = await agent.connect(page, key.api_key);
    await page.getByText('You can close this window.').waitFor();
    expect(tokens.scope).toBe('query chat feedback');
    expect((await agent.listTools(tokens.access_token)).status).toBe(200);
    expect((await agent.answered).get('state')).toBe('of-the-agent');
  });

  it('connects it by the keyboard alone', async () => {
    await page.goto(agent.address);
    await site.tabTo(keyField());
    await page.keyboard.type(key.api_key);
    await page.keyboard.press('Tab');
    expect(await site.button('Connect').and(page.locator(':focus')).count()).toBe(1);
    await page.keyboard.press('Tab');
    expect(await site.button('Cancel').and(page.locator(':focus')).count()).toBe(1);
    await site.tabTo(keyField());
    await page.keyboard.press('Enter');
    expect(await agent.redeem()).toMatchObject({ scope: 'query chat feedback' });
  });

  it('has no fault that axe finds, and fits a phone', async () => {
    await page.goto(agent.address);
    await site.button('Connect').waitFor();
    await expectFaultless('connect');
    await page.goto(`${service.url}/oauth/connect/of-nobody`);
    await page.getByRole('heading', { name: 'The app was not connected' }).waitFor();
    await expectFaultless('connect failed');
    forgiveRefusals();
  });

  it('shows the name of the app as a text that leaves the page as it is', async () => {
    agent.stop();
    const name = `<img src=x onerror=alert(1)> كلود ${'W'.repeat(60)}`;
    agent = await ConnectingAgent.start(service, name);
    await page.goto(agent.address);
    await page.getByRole('heading', { name }).waitFor();
    await expectFaultless('connect with a long name');
  });

  it('refuses keys that cannot be used, and then takes one that can', async () => {
    const refuse = async (secret: string, reason: string) => {
      await keyField().fill(secret);
      await site.button('Connect').click();
      await page.getByRole('alert').getByText(reason).waitFor();
      expect(await keyField().getAttribute('aria-invalid')).toBe('true');
      expect(await keyField().inputValue()).toBe('');
      expect(await page.content()).not.toContain(secret);
    };
    const revoked = await alice.createApiKey(kb.id);
    await alice.call('PATCH', `/api-keys/${revoked.id}/revoke`);
    const ofDocuments = await alice.createApiKey(kb.id, { scopes: ['documents:read'] });
    await page.goto(agent.address);
    await refuse(revoked.api_key, 'The API key has been revoked.');
    await expectFaultless('connect refused');
    await refuse('my secret', 'This is no API key: it begins with rag_live_ or rag_test_');
    await refuse(ofDocuments.api_key, 'lacks the scope query');
    await keyField().fill(key.api_key);
    await site.button('Connect').click();
    await agent.redeem();
    forgiveRefusals();
  });

  it('leads back to the app when it is cancelled', async () => {
    await page.goto(agent.address);
    await site.button('Cancel').click();
    await page.getByText('You can close this window.').waitFor();
    const answered = await agent.answered;
    expect(answered.get('error')).toBe('access_denied');
    expect(answered.get('state')).toBe('of-the-agent');
    expect(answered.has('code')).toBe(false);
  });

  it('says what to do where it was opened in another browser', async () => {
    await page.goto(agent.address);
    await site.button('Connect').waitFor();
    const address = page.url();
    await openContext();
    await page.goto(address);
    await page.getByRole('alert').getByText('opened in another browser').waitFor();
    await page.getByText('Go back to the app, and connect it again.').waitFor();
    expect(await keyField().count()).toBe(0);
    forgiveRefusals();
  });

  it('offers knowledge bases to a person who is signed in, without a key', async () => {
    const own = await Service.start({
      DASHBOARD_AUTH_MODE: 'gateway',
      GATEWAY_SECRETS: GATEWAY_SECRET,
      TRUSTED_PROXY_CIDRS: '127.0.0.1',
    });
    const proof = { 'x-gateway-secret': GATEWAY_SECRET };
    const bob = new Client(own, 'bob');
    const { body: handbook } = await bob.post<KnowledgeBase>('/kbs', { name: 'Handbook' }, proof);
    await bob.post('/kbs', { name: 'دليل خدمة العملاء' }, proof);
    agent.stop();
    agent = await ConnectingAgent.start(own, 'Claude Code');
    await openContext({ extraHTTPHeaders: { ...proof, 'x-idp-user-id': 'bob' } });
    await page.goto(agent.address);
    await page.getByText('You are signed in as bob.').waitFor();
    await expectFaultless('connect person');
    await site.button('Connect').click();
    await page.getByRole('alert').getByText('Choose at least one knowledge base.').waitFor();
    await page.getByLabel('Handbook').check();
    await site.button('Connect').click();
    const tokens = await agent.redeem();
    expect((await agent.listTools(tokens.access_token)).status).toBe(200);
    forgiveRefusals();

    await page.goto(`${own.url}/console/kbs/${handbook.id}/keys`);
    await site.button('Claude Code').click();
    const connected = page.getByRole('region', { name: 'Connected agents' });
    await connected.getByRole('definition').getByText('bob', { exact: true }).waitFor();
    await site.expectNoFaults('connected agent of a person');
    await page.goto('about:blank');
    await own.stop();
  });
});
