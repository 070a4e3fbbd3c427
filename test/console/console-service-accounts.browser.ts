import { expect, it } from '@jest/globals';
import type { Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../support/browser.js';
import { Client, type KnowledgeBase, outcome } from '../support/client.js';
import { ConsolePage, eachInConsole } from '../support/console.js';
import { type SharedService } from '../support/shared-service.js';
import { tool } from '../support/requirement.js';

const chromium = tool('Chromium', hasChromium);
const DAY_MS = 86_400_000;

chromium.describe('service accounts in the console', () => {
  let service: SharedService;
  let page: BrowserPage;
  let site: ConsolePage;
  let complaints: string[];
  let alice: Client;
  let kb: KnowledgeBase;

  eachInConsole((opened) => {
    ({ service, alice, kb, page, site, complaints } = opened);
  });

  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const press = (name: string, within: string) =>
    dialog(within).getByRole('button', { name, exact: true }).click();
  const openList = () => page.getByRole('link', { name: 'Service accounts', exact: true }).click();
  /** What a key of the console answers. */
  const listKeys = async (secret: string) =>
    outcome(
      await new Client(service).call('GET', `/kbs/${kb.id}/api-keys`, undefined, {
        authorization: `Bearer ${secret}`,
      }),
    );
  const secretShown = async () => {
    const secret = (await page.locator('.secret').innerText()).trim();
    await site.button('I have stored it').click();
    expect(await site.traces()).not.toContain(secret);
    return secret;
  };

  it('are created with roles and keys, which are rotated, revoked and deleted', async () => {
    await openList();
    await page.getByText('No service accounts yet').waitFor();
    await site.expectNoFaults('service accounts');
    await site.button('Create service account').click();
    await page.getByLabel('Name', { exact: true }).fill('Deployment');
    await page.getByLabel('Handbook').selectOption('viewer');
    await site.expectNoFaults('new service account');
    await site.button('Create').click();
    await page.getByText('viewer of Handbook').waitFor();

    await site.button('Change…').click();
    await dialog('Change Deployment').getByLabel('Handbook').selectOption('member');
    await site.button('Save').click();
    await page.getByText('member of Handbook').waitFor();

    await page.getByText('No keys yet').waitFor();
    await site.button('Create key').click();
    await page.getByLabel('Name', { exact: true }).fill('CI');
    await page.getByLabel('see API keys').check();
    const expires = page.getByLabel('Expires');
    expect(await expires.locator('option:checked').innerText()).toBe('in 90 days');
    await expires.selectOption('in 30 days');
    await site.expectNoFaults('new key');
    await site.button('Create').click();
    const secret = await secretShown();
    expect(secret).toMatch(/^rag_admin_/);
    expect(await listKeys(secret)).toBe('200');
    await page.getByRole('cell', { name: 'in 30 days' }).waitFor();
    await page.getByRole('cell', { name: 'keys:read' }).waitFor();
    await site.expectNoFaults('service account');

    await site.button('CI').click();
    await press('Change…', 'CI');
    const change = dialog('Change CI');
    await change.getByLabel('Description').fill('Nightly builds');
    await change.getByLabel('Expires').selectOption('never');
    await site.button('Save').click();
    await dialog('CI').getByText('Nightly builds').waitFor();
    await site.expectNoFaults('key of a service account');
    await press('Rotate…', 'CI');
    await site.button('Rotate key').click();
    const next = await secretShown();
    expect(await Promise.all([secret, next].map(listKeys))).toEqual(['200', '200']);

    await page.getByRole('row', { name: 'being replaced' }).getByRole('button').click();
    await press('Revoke…', 'CI');
    await site.button('Revoke key').click();
    await page.getByText('Every request with it is refused').waitFor();
    expect(await listKeys(secret)).toBe('401 api_key_revoked');
    await press('Delete…', 'CI');
    await dialog('Delete CI?').getByText('It leaves the list of Deployment.').waitFor();
    await site.button('Delete key').click();
    await page.getByRole('row', { name: 'revoked' }).waitFor({ state: 'detached' });
    expect(await listKeys(secret)).toBe('401 invalid_api_key');

    await site.button('Delete…').click();
    await page.getByLabel('to confirm').fill('Deployment');
    await site.button('Delete service account').click();
    await page.getByText('No service accounts yet').waitFor();
    expect(await listKeys(next)).toBe('401 invalid_api_key');
  });

  it('are created by the keyboard alone, among many knowledge bases', async () => {
    for (let index = 0; index < 12; index++) await alice.createKnowledgeBase(`Base ${index}`);
    await openList();
    await site.button('Create service account').focus();
    await page.keyboard.press('Enter');
    await dialog('Create service account').waitFor();
    await page.keyboard.type('Importer');
    await page.keyboard.press('Tab');
    await page.keyboard.type('base 11');
    await page.getByLabel('Handbook').waitFor({ state: 'hidden' });
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Importer' }).waitFor();
    await page.getByText('owner of Base 11').waitFor();
    await page.getByText('may create knowledge bases, which it then owns').waitFor();
    await page.getByRole('link', { name: 'Base 11' }).click();
    await site.openPage('Members');
    await page.getByRole('link', { name: /^sa_/ }).click();
    await page.getByRole('heading', { name: 'Importer' }).waitFor();
  });

  it('are created also by whoever presses the button before all knowledge bases are read', async () => {
    let read: () => void = () => undefined;
    const mayRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    await page.route(/\/api\/v1\/kbs\?/, async (route) => {
      await mayRead;
      await route.continue();
    });
    await page.goto(`${site.url}/console/service-accounts`);
    await site.button('Create service account').focus();
    await page.keyboard.press('Enter');
    read();
    await dialog('Create service account').getByLabel('Handbook').waitFor();
  });

  it('show why a key is not made, and an API key its expiry and in whose name it reads', async () => {
    const { id } = await alice.createServiceAccount(kb.id);
    await site.open(`/service-accounts/${id}`);
    await site.button('Create key').click();
    await page.getByLabel('Name', { exact: true }).fill('CI');
    await site.button('Create').click();
    await dialog('Create key').getByRole('alert').getByText('scopes').waitFor();
    const refusals = complaints.filter((each) => / 400 /.test(each));
    expect(refusals).toHaveLength(1);
    complaints.length = 0;

    await site.open(`/kbs/${kb.id}/keys`);
    await site.button('Create API key').click();
    await page.getByLabel('Name', { exact: true }).fill('Backend');
    await page.getByLabel('Expires').selectOption('in a year');
    await page.getByText('More limits').click();
    await page.getByLabel('Reads as').fill('group:support\nuser:anna');
    await site.button('Create').click();
    await site.button('I have stored it').click();
    const { body } = await alice.get<{ data: { principals: string[]; expires_at: string }[] }>(
      `/kbs/${kb.id}/api-keys`,
    );
    expect(body.data[0]?.principals).toEqual(['group:support', 'user:anna']);
    const days = (Date.parse(body.data[0]?.expires_at ?? '') - Date.now()) / DAY_MS;
    expect(days).toBeGreaterThan(364);
    expect(days).toBeLessThan(366);
    await site.button('Backend').click();
    await dialog('Backend').getByText('the group support, and the user anna').waitFor();
  });
});
