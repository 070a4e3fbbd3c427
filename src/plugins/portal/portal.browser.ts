import { expect, it } from '@jest/globals';
import type { BrowserContext, Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import {
  Client,
  type IssuedApiKey,
  type KnowledgeBase,
  outcome,
} from '../../../test/support/client.js';
import { ConnectingAgent } from '../../../test/support/connecting-agent.js';
import { ConsolePage, eachInConsole } from '../../../test/support/console.js';
import { tool, withPlugins } from '../../../test/support/requirement.js';
import { eventually } from '../../../test/support/service.js';
import type { SharedService } from '../../../test/support/shared-service.js';

tool('Chromium', hasChromium).describe('the portal of a key', () => {
  let service: SharedService;
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let partner: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  eachInConsole(async (opened) => {
    ({ service, alice, kb, context, page, site } = opened);
    partner = new Client(service);
    key = await alice.createApiKey(kb.id, {
      name: 'Web shop',
      rate_limit_per_minute: 60,
      budget: { messages: 500, period: 'month' },
    });
    await alice.addDocument(kb.id, { title: 'Returns', text: 'Orders may be returned.' });
  });

  const makeLink = async (body: object = {}) =>
    (await alice.post<{ url: string }>(`/api-keys/${key.id}/portal-links`, body)).body.url;
  const asks = async (secret: string) => outcome(await partner.query(secret, 'returns'));
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
  const region = (name: string) => page.getByRole('region', { name });
  const open = async (body: object = {}) => {
    // Away from the console, since a change after `#` alone loads nothing.
    await page.goto('about:blank');
    await page.goto(await makeLink(body));
    await site.button('Open').click();
    await heading('Web shop').waitFor();
    await site.rendered();
  };

  it('is opened by a link that a member makes in the console', async () => {
    await site.open(`/kbs/${kb.id}/keys?key=${key.id}`);
    await site.button('Portal link…').click();
    await page.getByLabel('Recipient').fill('Anna Weber');
    await site.expectNoFaults('portal link form');
    await site.button('Create link').click();
    const url = await page.getByText('/portal#').textContent();
    await site.expectNoFaults('portal link');
    // A program that looks at the page presses nothing.
    const preview = await context.newPage();
    await preview.goto(String(url));
    await preview.getByText('Anna Weber').waitFor();
    await preview.close();
    const tab = await context.newPage();
    const portal = new ConsolePage(tab, service.url);
    await tab.goto(String(url));
    await tab.getByText('Anna Weber').waitFor();
    await portal.expectNoFaults('portal before it is opened');
    await portal.button('Open').click();
    await tab.getByRole('heading', { name: 'Web shop' }).waitFor();
    expect(tab.url()).toBe(`${service.url}/portal`);
    expect(await portal.traces()).not.toContain(String(url).split('#')[1]);
    // The session goes on in the same browser, and the link opens nothing more.
    await tab.reload();
    await tab.getByRole('heading', { name: 'Web shop' }).waitFor();
    await tab.goto('about:blank');
    await tab.goto(String(url));
    await tab.getByText('It was opened on', { exact: false }).waitFor();
    await portal.expectNoFaults('portal opened before');
    await tab.close();
  });

  it('shows requests and limits as pictures', async () => {
    for (let n = 0; n < 3; n++) expect(await asks(key.api_key)).toBe('200');
    await eventually(async () => {
      const { body } = await alice.get<{ requests_24h: number }>(`/api-keys/${key.id}/usage`);
      return body.requests_24h === 3;
    });
    await open();
    await region('Requests')
      .getByRole('img', { name: /: 3 answered, 0 refused/ })
      .waitFor();
    await region('Limits').getByText('of 60').waitFor();
    await region('Limits').getByText('0 of 500').waitFor();
    expect(await site.button('Rotate…').count()).toBe(0);
    await site.expectNoFaults('portal');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await site.expectNoFaults('portal phone');
    await site.expectLegible('portal phone');
  });

  it('rotates the key, shows the new secret once with code that uses it, and says how long the old one works', async () => {
    await open({ rotate: true });
    await region('Rotation').getByText('24 hours', { exact: false }).waitFor();
    await site.button('Rotate…').click();
    await site.expectNoFaults('portal rotation');
    await site.button('Rotate key').click();
    const created = region('Your new key');
    await created.getByText(/Your old key works until .+\d/).waitFor();
    const secret = String(await created.locator('code.secret').textContent());
    expect([await asks(key.api_key), await asks(secret)]).toEqual(['200', '200']);
    expect(await created.locator('.snippet code').textContent()).toContain(secret);
    await created.getByLabel('Question').fill('May orders be returned?');
    await created.getByRole('button', { name: 'Send' }).click();
    await created.getByText('Orders may be returned.', { exact: false }).waitFor();
    await site.expectNoFaults('portal new key');
    page.once('dialog', (dialog) => void dialog.accept());
    await page.reload();
    await region('Rotation').getByText('This key was rotated', { exact: false }).waitFor();
    expect(await site.traces()).not.toContain(secret);
    expect(service.logs).not.toContain(secret.slice(-30));
  });

  it('keeps the new secret in sight where the old key stops at once', async () => {
    await alice.call('PATCH', `/api-keys/${key.id}`, { self_rotation: { grace_seconds: 0 } });
    await open({ rotate: true });
    await region('Rotation').getByText('stops at once', { exact: false }).waitFor();
    await site.button('Rotate…').click();
    await site.button('Rotate key').click();
    await page.getByText('Your old key has stopped.').waitFor();
    const secret = String(await region('Your new key').locator('code.secret').textContent());
    expect([await asks(key.api_key), await asks(secret)]).toEqual(['401 api_key_expired', '200']);
    await heading('The key has expired').waitFor();
    await site.expectNoFaults('portal old key stopped');
  });

  it('ends the key', async () => {
    await open();
    await site.button('End this key now').click();
    await site.expectNoFaults('portal end');
    await page.getByRole('dialog').getByRole('button', { name: 'End this key now' }).click();
    await heading('The key was revoked').waitFor();
    expect(await asks(key.api_key)).toBe('401 api_key_revoked');
    await site.expectNoFaults('portal ended');
  });

  withPlugins('agents').it('shows the agents that are connected, and disconnects one', async () => {
    const agent = await ConnectingAgent.start(service, 'Claude Code');
    const tab = await context.newPage();
    const { access_token: token } = await agent.connect(tab, key.api_key);
    await tab.close();
    agent.stop();
    await open();
    await region('Connected agents').getByText('Claude Code', { exact: true }).waitFor();
    await site.expectNoFaults('portal agents');
    await site.button('Disconnect Claude Code…').click();
    await site.button('Disconnect agent').click();
    await site.button('Disconnect Claude Code…').waitFor({ state: 'detached' });
    expect((await agent.listTools(token)).status).toBe(401);
    expect(await asks(key.api_key)).toBe('200');
  });
});
