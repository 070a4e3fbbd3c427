import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasChromium, openBrowser } from '../../../test/support/browser.js';
import { Client, type Page } from '../../../test/support/client.js';
import { ANSWER, consoleOfNewUser, QUESTION } from '../../../test/support/console.js';
import { tool } from '../../../test/support/requirement.js';
import { Service } from '../../../test/support/service.js';
import {
  BOT,
  BOT_TOKEN,
  SlackServer,
  signSlack,
  WORKSPACE,
} from '../../../test/support/slack-server.js';

interface Channel {
  id: string;
  name: string;
  state: string;
  daily_messages: number;
  workspace: { name: string } | null;
}

interface Manifest {
  settings: { event_subscriptions: { request_url: string } };
  features: { slash_commands: { url: string }[] };
}

const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';
const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

tool('Chromium', hasChromium).describe('channels in the console', () => {
  let browser: Browser;
  let slack: SlackServer;
  let service: Service;
  let opened: Awaited<ReturnType<typeof consoleOfNewUser>>;

  beforeAll(async () => {
    [browser, slack] = await Promise.all([openBrowser(), SlackServer.start()]);
    service = await Service.start({ SLACK_API_URL: slack.url });
  });
  beforeEach(async () => {
    opened = await consoleOfNewUser(browser, service);
  });
  afterEach(async () => {
    expect(opened.complaints).toEqual([]);
    await opened.context.close();
  });
  afterAll(async () => {
    await Promise.all([browser.close(), service.stop()]);
    await slack.stop();
  });

  const create = async (more: object = {}) => {
    const body = { name: 'Support Slack', ...more };
    const { alice, kb } = opened;
    return (await alice.post<Channel>(`/kbs/${kb.id}/channels`, body)).body;
  };
  const list = async () => {
    const { alice, kb } = opened;
    return (await alice.get<Page<Channel>>(`/kbs/${kb.id}/channels`)).body.data;
  };
  const forgive = (pattern: RegExp) => {
    const { complaints } = opened;
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !pattern.test(one)));
  };
  const send = (id: string, event: object) => {
    const body = JSON.stringify({
      ...{ team_id: WORKSPACE, type: 'event_callback', event_id: `Ev${performance.now()}`, event },
    });
    const client = new Client(service);
    return client.call('POST', `/channels/${id}/events`, body, signSlack(body, SECRET));
  };

  it('are made by a name, connected step by step, and show in the inbox what was asked', async () => {
    const { alice, kb, page, site } = opened;
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    await site.open(`/kbs/${kb.id}/channels`);
    await site.button('Create channel').click();
    await page.getByLabel('Name', { exact: true }).fill('Support Slack');
    await site.button('Create').click();
    await page.getByRole('heading', { name: 'Support Slack', level: 1 }).waitFor();
    await page.getByText('not connected').waitFor();
    const [channel] = await list();
    const address = `${service.url}/api/v1/channels/${channel?.id ?? ''}`;
    const text = await page.locator('.setup pre').innerText();
    const manifest = JSON.parse(text) as Manifest;
    expect(manifest.settings.event_subscriptions.request_url).toBe(`${address}/events`);
    expect(manifest.features.slash_commands[0]?.url).toBe(`${address}/commands`);

    await site.button('Add the secrets').click();
    await page.getByLabel('Signing secret').fill(SECRET);
    await page.getByLabel('Bot token').fill('xoxb wrong');
    await site.button('Save').click();
    await page.locator('small').getByText('bot_token must be visible ASCII').waitFor();
    await site.expectNoFaults('refused secrets of a channel');
    await page.getByLabel('Bot token').fill(BOT_TOKEN);
    await site.button('Save').click();
    await page.getByText(/^Connected to/).waitFor();
    await page.getByText('active', { exact: true }).waitFor();
    expect(await site.traces()).not.toContain(SECRET);
    expect(await site.traces()).not.toContain(BOT_TOKEN);

    const event = { type: 'app_mention', user: 'UANNA', channel: 'C024BE91L', team: WORKSPACE };
    const said = { text: `<@${BOT}> ${QUESTION}`, ts: '1700000000.000001' };
    expect((await send(channel?.id ?? '', { ...event, ...said })).status).toBe(200);
    await page.getByText('1 of 500').waitFor();
    await page.getByText('How it is connected to Slack').waitFor();
    await page.getByRole('link', { name: '1 conversation' }).click();
    await page.getByRole('cell', { name: 'Support Slack · channel' }).waitFor();
    await page.getByRole('link', { name: QUESTION }).click();
    await page.getByRole('heading', { name: QUESTION }).waitFor();
    await page.getByText('Support Slack · channel').waitFor();
    forgive(/ 400 /);
  });

  it('are paused with one press, changed and deleted, after the page has said what ends', async () => {
    const { kb, page, site } = opened;
    const { id } = await create({ signing_secret: SECRET, bot_token: BOT_TOKEN });
    await site.open(`/kbs/${kb.id}/channels`);
    await site.act('Pause Support Slack');
    await page.getByText('paused', { exact: true }).waitFor();
    await site.open(`/kbs/${kb.id}/channels/${id}`);
    await site.button('Resume').click();
    await page.getByText('active', { exact: true }).waitFor();
    await site.button('Change').click();
    await page.getByLabel('Name', { exact: true }).fill('Sales Slack');
    await page.getByLabel('Questions a day').fill('20');
    await site.button('Save').click();
    await page.getByRole('heading', { name: 'Sales Slack' }).waitFor();
    expect(await list()).toMatchObject([{ name: 'Sales Slack', daily_messages: 20 }]);
    await site.button('Delete…').click();
    await page.getByRole('dialog').getByText('the secrets are deleted').waitFor();
    await site.expectNoFaults('delete a channel');
    await site.button('Delete channel').click();
    await page.getByText('No channels yet').waitFor();
    expect(await list()).toEqual([]);
    // Its page may have read it once more.
    forgive(/ 404 /);
  });

  it('say why they do not answer any more', async () => {
    const { kb, page, site } = opened;
    const { id } = await create({ signing_secret: SECRET, bot_token: BOT_TOKEN });
    await send(id, { type: 'app_uninstalled' });
    await site.open(`/kbs/${kb.id}/channels`);
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByText('The app was uninstalled.').waitFor();
    await page.getByRole('link', { name: 'Support Slack' }).click();
    await page.getByText('The app was uninstalled.').waitFor();
    await page.getByText('How it is connected to Slack').click();
    await site.button('Replace the secrets').click();
    await page.getByLabel('Bot token').fill(BOT_TOKEN);
    await site.button('Save').click();
    await page.getByText('active', { exact: true }).waitFor();
  });

  it.each([
    ['light', 'ltr'],
    ['dark', 'ltr'],
    ['light', 'rtl'],
    ['dark', 'rtl'],
  ] as const)('have no fault that axe finds, and fit, %s, %s', async (theme, direction) => {
    const { kb, page, site } = opened;
    await page.addInitScript(
      `addEventListener('DOMContentLoaded', () => { document.documentElement.dir = '${direction}'; })`,
    );
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const look = async (what: string) => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await site.expectNoFaults(`${what} ${theme} ${direction}`);
      if (direction === 'ltr') await site.expectDirected(what);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await site.expectLegible(`${what} ${theme} ${direction} ${size.width}`);
      }
    };
    await site.open(`/kbs/${kb.id}/channels`);
    await look('no channels');
    const { id } = await create({
      name: 'دعم العملاء في جميع فروع الشركة في أوروبا والشرق الأوسط',
    });
    await create({ signing_secret: SECRET, bot_token: BOT_TOKEN });
    await site.open(`/kbs/${kb.id}/channels`);
    await look('channels');
    await site.open(`/kbs/${kb.id}/channels/${id}`);
    await look('channel');
    await site.button('Add the secrets').click();
    await look('secrets of a channel');
  });
});
