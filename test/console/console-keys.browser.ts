import { expect, it } from '@jest/globals';
import type { BrowserContext, Page as BrowserPage, Route } from 'playwright-core';
import { hasChromium } from '../support/browser.js';
import { Client, type KnowledgeBase } from '../support/client.js';
import { ConsolePage, eachInConsole } from '../support/console.js';
import { eventually, Service } from '../support/service.js';
import { newUserId } from '../support/shared-service.js';
import { tool } from '../support/requirement.js';

const chromium = tool('Chromium', hasChromium);

chromium.describe('API keys in the console', () => {
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let complaints: string[];
  let alice: Client;
  let kb: KnowledgeBase;

  eachInConsole(async (opened) => {
    ({ alice, kb, context, page, site, complaints } = opened);
    await site.open(`/kbs/${kb.id}/documents`);
  });

  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const issue = async (name: string) => {
    await site.button('Create API key').click();
    await dialog('Create API key').getByLabel('Name', { exact: true }).fill(name);
  };
  const stored = async () => {
    await site.button('Create').click();
    await site.button('I have stored it').click();
  };

  it('open other knowledge bases, too, until their owners take them out', async () => {
    const other = await alice.createKnowledgeBase('Human resources');
    await site.open(`/kbs/${kb.id}/keys`);
    await issue('Backend');
    await page.getByText('Other knowledge bases').click();
    await page.getByLabel('Human resources').check();
    await site.expectNoFaults('new key of several');
    await stored();
    await site.open(`/kbs/${other.id}/keys`);
    await site.button('Backend').click();
    await dialog('Backend').getByRole('link', { name: 'Handbook' }).waitFor();
    await dialog('Backend').getByRole('link', { name: 'Human resources' }).waitFor();
    await site.expectNoFaults('key of several');
    await site.button('Take out…').click();
    await site.button('Take out').click();
    await page.getByText('The key no longer opens Human resources.').waitFor();
    await page.getByText('No API keys yet').waitFor();
    await site.open(`/kbs/${kb.id}/keys`);
    await site.button('Backend').click();
    await dialog('Backend').getByText('Last used').waitFor();
    expect(await site.button('Take out…').count()).toBe(0);
  });

  it('have a budget, and so has each end user', async () => {
    await site.openPage('API keys');
    await issue('Backend');
    await page.getByText('More limits').click();
    await page.getByLabel('Limit', { exact: true }).fill('1000');
    await page.getByLabel('Period', { exact: true }).selectOption('day');
    await page.getByLabel('Webhook at').fill('80');
    await stored();
    await site.button('Backend').click();
    await dialog('Backend').getByText('1,000 messages a day').waitFor();
    const { body } = await alice.get<{ data: { budget: object }[] }>(`/kbs/${kb.id}/api-keys`);
    expect(body.data[0]?.budget).toEqual({ messages: 1000, period: 'day', soft: 0.8 });
    await site.button('Change…').click();
    const change = dialog('Change Backend');
    await change.getByLabel('Limit', { exact: true }).fill('');
    await change.getByRole('button', { name: 'Save' }).click();
    await dialog('Backend').getByText('1,000 messages a day').waitFor({ state: 'detached' });
    await change.waitFor({ state: 'detached' });
    await site.button('Rotate…').waitFor();
    await page.keyboard.press('Escape');

    await site.open(`/kbs/${kb.id}/settings/limits`);
    await page.getByLabel('Limit', { exact: true }).fill('2.5');
    await page.getByLabel('Unit', { exact: true }).selectOption('cost');
    await site.button('Save').click();
    await page.getByText('The settings are saved.').waitFor();
    const settings = await alice.get<{ budget_per_end_user: object }>(`/kbs/${kb.id}/settings`);
    expect(settings.body.budget_per_end_user).toMatchObject({ cost: 2.5, period: 'month' });
    await site.expectNoFaults('budget of end users');
  });

  it('keep their end to the millisecond while something else is changed', async () => {
    // The second time that clocks there show half past two in this night.
    const expiresAt = '2060-10-31T01:30:59.123Z';
    const { id } = await alice.createApiKey(kb.id, { name: 'Backend', expires_at: expiresAt });
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Berlin' });
    await site.open(`/kbs/${kb.id}/keys`);
    await site.button('Backend').click();
    await site.button('Change…').click();
    const change = dialog('Change Backend');
    expect(await change.getByLabel('Date and time').inputValue()).toBe('2060-10-31T02:30');
    await change.getByLabel('Requests per minute').fill('77');
    await change.getByRole('button', { name: 'Save' }).click();
    await dialog('Backend').getByText('77 requests a minute').waitFor();
    const { body } = await alice.get(`/api-keys/${id}`);
    expect(body).toMatchObject({ expires_at: expiresAt, rate_limit_per_minute: 77 });
  });

  it('are left with Escape while a change is saved, and what fails then is said', async () => {
    const { id } = await alice.createApiKey(kb.id, { name: 'Backend' });
    await site.open(`/kbs/${kb.id}/keys`);
    await site.button('Backend').click();
    const path = '**/api/v1/api-keys/*';
    let answer: (route: Route) => Promise<void> = (route) => route.continue();
    const save = async (name: string) => {
      const asked = Promise.withResolvers<Route>();
      await page.route(path, (route) => {
        if (route.request().method() === 'PATCH') asked.resolve(route);
        else void route.continue();
      });
      await site.button('Change…').click();
      await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
      await site.button('Save').click();
      const route = await asked.promise;
      // Back to the key, whose change is on its way.
      await page.keyboard.press('Escape');
      await site.button('Rotate…').waitFor();
      await answer(route);
      await page.unroute(path);
    };
    await save('Web shop');
    await dialog('Web shop').waitFor();
    answer = async (route) => {
      await alice.call('DELETE', `/api-keys/${id}`);
      await route.continue();
    };
    await save('Lost');
    await page.getByRole('status').getByText('Nothing was found').waitFor();
    await dialog('Web shop').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The browser says so, too.
    complaints.length = 0;
  });

  it('show that they do not meet the policy of the service', async () => {
    const before = await Service.start();
    const bobId = newUserId('bob');
    const bob = new Client(before, bobId);
    const { id } = await bob.createKnowledgeBase('Old');
    await bob.createApiKey(id, { name: 'Forever' });
    const { environment } = before;
    await before.stop();
    const own = await Service.start({ ...environment, KEY_POLICY_REQUIRE_EXPIRY: 'live,test' });
    const policed = new ConsolePage(page, own.url);
    await policed.signIn(bobId);
    await page.getByRole('link', { name: 'Old' }).click();
    await policed.openPage('API keys');
    await page.getByText('against the policy').waitFor();
    await policed.button('Forever').click();
    await dialog('Forever').getByText('Not met: it never expires.').waitFor();
    await policed.expectNoFaults('key against the policy');
    await page.keyboard.press('Escape');

    // A new one is offered what meets it.
    const offered = () => page.getByLabel('Expires').getByRole('option').allInnerTexts();
    const offers = (...ends: string[]) =>
      eventually(async () => (await offered()).join() === ends.join());
    await policed.button('Create API key').click();
    await offers('in 30 days', 'in 90 days', 'in a year', 'at…');
    await page.keyboard.press('Escape');
    const owner = new Client(own, bobId);
    const other = await owner.createKnowledgeBase('Strict');
    await owner.call('PATCH', `/kbs/${other.id}/settings`, { key_max_age_days: 20 });
    const inTwoYears = new Date(Date.now() + 730 * 86_400_000).toISOString();
    const late = await owner.createApiKey(id, { name: 'Late', expires_at: inTwoYears });
    await owner.call('PATCH', `/kbs/${id}/settings`, { key_max_age_days: 60 });
    await page.reload();
    await policed.button('Create API key').click();
    await offers('in 60 days, the latest allowed', 'in 30 days', 'at…');
    await page.getByText('Other knowledge bases').click();
    await page.getByLabel('Strict').check();
    await offers('in 20 days, the latest allowed', 'at…');
    await page.getByLabel('Strict').uncheck();
    await page.getByRole('option', { name: 'in 60 days' }).waitFor({ state: 'attached' });
    await page.getByLabel('Name', { exact: true }).fill('Of two months');
    await policed.button('Create').click();
    await policed.button('I have stored it').click();
    const { body } = await owner.get<{ data: { name: string; expires_at: string }[] }>(
      `/kbs/${id}/api-keys`,
    );
    const issued = body.data.find(({ name }) => name === 'Of two months');
    expect(Date.parse(issued?.expires_at ?? '')).toBeGreaterThan(Date.now() + 59 * 86_400_000);

    // One that ends later than is allowed now can be changed otherwise.
    await policed.button('Late').click();
    await policed.button('Change…').click();
    const change = dialog('Change Late');
    await page.getByLabel('Name', { exact: true }).fill('Renamed');
    await change.locator('[name=expiry_time][max]').waitFor();
    await change.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The key is changed.').waitFor();
    const renamed = { name: 'Renamed', expires_at: inTwoYears };
    expect((await owner.get(`/api-keys/${late.id}`)).body).toMatchObject(renamed);
    // It reads the key again.
    await page.goto('about:blank');
    await own.stop();
  });
});
