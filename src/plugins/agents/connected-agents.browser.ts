import { expect, it } from '@jest/globals';
import type { BrowserContext, Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import {
  Client,
  type IssuedApiKey,
  type KnowledgeBase,
  type Page,
} from '../../../test/support/client.js';
import { ConnectingAgent } from '../../../test/support/connecting-agent.js';
import { ConsolePage, eachInConsole } from '../../../test/support/console.js';
import { tool } from '../../../test/support/requirement.js';
import type { SharedService } from '../../../test/support/shared-service.js';

tool('Chromium', hasChromium).describe('the agents of a key in the console', () => {
  let service: SharedService;
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  eachInConsole(async (opened) => {
    ({ service, alice, kb, context, page, site } = opened);
    key = await alice.createApiKey(kb.id, { name: 'Web shop' });
  });

  const connect = async (name: string) => {
    const agent = await ConnectingAgent.start(service, name);
    const tab = await context.newPage();
    const { access_token: token } = await agent.connect(tab, key.api_key);
    await tab.close();
    agent.stop();
    return async () => (await agent.listTools(token)).status;
  };
  const agents = () => page.getByRole('region', { name: 'Connected agents' });
  const row = (name: string) => agents().getByRole('listitem').filter({ hasText: name });
  const open = () => site.open(`/kbs/${kb.id}/keys?key=${key.id}`);
  const listed = async () =>
    (await alice.get<Page<{ client_name: string }>>(`/api-keys/${key.id}/connections`)).body.data;

  it('are listed with what they may do and have done', async () => {
    const callClaude = await connect('Claude Code');
    await connect('كلود');
    expect(await callClaude()).toBe(200);
    await open();
    const claude = row('Claude Code');
    await claude.getByText('not verified').waitFor();
    await claude.getByText('find passages, ask for answers, rate answers').waitFor();
    await claude.getByText('Connected', { exact: true }).waitFor();
    await row('كلود').getByText('never', { exact: true }).waitFor();
    await site.expectDirected('connected agents');
    await site.expectNoFaults('connected agents');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await agents().getByText('Connect another agent').click();
    await agents().getByText(`${service.url}/mcp`).waitFor();
    await site.expectNoFaults('connected agents phone');
    await site.expectLegible('connected agents phone');
  });

  it('are shown with the host that vouches for their name', async () => {
    await connect('Claude');
    // No host on loopback can vouch for one.
    await page.route(`**/api-keys/${key.id}/connections*`, async (route) => {
      const response = await route.fetch();
      const { data, ...rest } = (await response.json()) as Page<object>;
      const json = { ...rest, data: data.map((each) => ({ ...each, client_host: 'claude.ai' })) };
      await route.fulfill({ response, json });
    });
    await open();
    await row('Claude').getByText('verified by claude.ai').waitFor();
    expect(await row('Claude').getByText('not verified').count()).toBe(0);
  });

  it('are disconnected by the keyboard alone, and then are refused', async () => {
    const callClaude = await connect('Claude Code');
    await connect('Cursor');
    await open();
    const disconnect = site.button('Disconnect Claude Code');
    await site.tabTo(disconnect);
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Disconnect Claude Code?' });
    await question.getByText('The key itself keeps working').waitFor();
    expect(await agents().isVisible()).toBe(false);
    await site.expectNoFaults('disconnect an agent');
    await page.keyboard.press('Escape');
    await disconnect.and(page.locator(':focus')).waitFor();
    expect(await callClaude()).toBe(200);
    await page.keyboard.press('Enter');
    await site.tabTo(site.button('Disconnect agent'));
    await page.keyboard.press('Enter');
    await page.getByText('Claude Code is disconnected.').waitFor();
    await row('Claude Code').waitFor({ state: 'detached' });
    expect(await callClaude()).toBe(401);
    expect((await listed()).map(({ client_name }) => client_name)).toEqual(['Cursor']);
    // The focus has not left the panel.
    await site.tabTo(site.button('Disconnect Cursor'));
  });

  it('have a sentence that says how to connect the first one', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await open();
    await agents().getByText('To connect Claude, ChatGPT, Cursor').waitFor();
    await agents().getByRole('button', { name: 'Copy the address' }).click();
    await agents().getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${service.url}/mcp`);
    await site.expectNoFaults('no connected agents');
    await page.setViewportSize({ width: 360, height: 740 });
    await site.expectLegible('no connected agents phone');
  });

  it('need a key that finds passages, and one that works', async () => {
    await alice.call('PATCH', `/api-keys/${key.id}`, { scopes: ['chat'] });
    await open();
    await agents().getByText('Agents need a key that may find passages').waitFor();
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    await open();
    await page
      .getByRole('dialog', { name: 'Web shop' })
      .getByText('Revoked', { exact: true })
      .waitFor();
    expect(await agents().count()).toBe(0);
  });

  it('are disconnected by members, and seen by viewers', async () => {
    await connect('Claude Code');
    const viewer = `${kb.id}-viewer`;
    await alice.call('PUT', `/kbs/${kb.id}/members/${viewer}`, { role: 'viewer' });
    await site.signOut();
    await site.signIn(viewer);
    await open();
    await row('Claude Code').getByText('not verified').waitFor();
    expect(await page.getByRole('button', { name: /Disconnect/ }).count()).toBe(0);
  });
});
