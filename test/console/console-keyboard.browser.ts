import { expect, it } from '@jest/globals';
import type { Locator, Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../support/browser.js';
import { type ApiKey, Client, type KnowledgeBase, type Page } from '../support/client.js';
import { ANSWER, ConsolePage, eachInConsole, QUESTION } from '../support/console.js';
import { tool } from '../support/requirement.js';

const chromium = tool('Chromium', hasChromium);

chromium.describe('by the keyboard alone', () => {
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let kb: KnowledgeBase;

  eachInConsole((opened) => {
    ({ alice, kb, page, site } = opened);
  });

  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const press = async (target: Locator, key = 'Enter') => {
    await site.tabTo(target);
    await page.keyboard.press(key);
  };
  const type = async (target: Locator, text: string) => {
    await site.tabTo(target);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  const keys = async () => (await alice.get<Page<ApiKey>>(`/kbs/${kb.id}/api-keys`)).body.data;

  it('a key of several knowledge bases is issued, with a budget, and one is taken out', async () => {
    await alice.createKnowledgeBase('Human resources');
    await site.open(`/kbs/${kb.id}/keys`);
    await press(site.button('Create API key'));
    const form = dialog('Create API key');
    await type(form.getByLabel('Name', { exact: true }), 'Backend');
    await press(form.getByText('Other knowledge bases'));
    await press(form.getByLabel('Human resources'), 'Space');
    await press(form.getByText('More limits'));
    await type(form.getByLabel('Limit', { exact: true }), '1000');
    await type(form.getByLabel('Period', { exact: true }), 'day');
    await press(form.getByRole('button', { name: 'Create', exact: true }));
    await press(site.button('I have stored it'));

    await press(site.button('Backend'));
    await dialog('Backend').getByText('1,000 messages a day').waitFor();
    const [key] = await keys();
    expect(key?.kbs).toHaveLength(2);
    await press(dialog('Backend').getByRole('button', { name: 'Change…' }));
    await type(dialog('Change Backend').getByLabel('Limit', { exact: true }), '2000');
    await press(dialog('Change Backend').getByRole('button', { name: 'Save' }));
    await dialog('Backend').getByText('2,000 messages a day').waitFor();
    await press(dialog('Backend').getByRole('button', { name: 'Take out…' }));
    await press(site.button('Take out'));
    await page.getByText('The key no longer opens Handbook.').waitFor();
    expect(await keys()).toEqual([]);
  });

  it('end users are given a budget', async () => {
    await site.open(`/kbs/${kb.id}/settings/limits`);
    await type(page.getByLabel('Limit', { exact: true }), '2.5');
    await press(page.getByLabel('Unit', { exact: true }), 'End');
    await press(site.button('Save'));
    await page.getByText('The settings are saved.').waitFor();
    const { body } = await alice.get(`/kbs/${kb.id}/settings`);
    expect(body).toMatchObject({ budget_per_end_user: { cost: 2.5, period: 'month' } });
  });

  it('members are added, given another role and removed', async () => {
    await site.open(`/kbs/${kb.id}/members`);
    await press(site.button('Add a member'));
    await type(page.getByLabel('User or group'), 'group:support');
    await type(page.getByLabel('Role', { exact: true }), 'viewer');
    await press(site.button('Add'));
    await page.getByText('group:support is viewer now.').waitFor();
    await site.tabTo(page.getByLabel('Role of group:support'));
    await page.keyboard.type('member');
    await page.getByText('group:support is member now.').waitFor();
    const row = page.getByRole('row', { name: 'support group' });
    await press(row.getByRole('button', { name: 'Actions' }));
    await page
      .getByRole('menuitem', { name: 'Remove group:support' })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByLabel('Role of group:support').waitFor({ state: 'detached' });
    await press(site.button('Undo'));
    expect(await page.getByLabel('Role of group:support').inputValue()).toBe('member');
  });

  it('somebody asks as another person', async () => {
    const access = { allow: ['group:support'] };
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER, access });
    await site.open(`/kbs/${kb.id}/playground`);
    await press(site.button('Ask as…'));
    await type(page.getByLabel('User id'), 'anna');
    await type(page.getByLabel('Groups'), 'support');
    await press(site.button('Ask as this person'));
    await page.getByText('You ask as the group support, and the user anna.').waitFor();
    await type(page.getByLabel('Question'), QUESTION);
    await page.keyboard.press('Enter');
    await page.locator('.answer').getByText(ANSWER).first().waitFor();
    await press(site.button('Ask as yourself'));
    await page.locator('.answer').waitFor({ state: 'detached' });
  });

  it('costs are looked at by end user, and saved', async () => {
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    const key = await alice.createApiKey(kb.id, { name: 'Backend' });
    await alice.chat(key.api_key, QUESTION, { end_user_id: 'customer-17' });
    await site.open(`/kbs/${kb.id}/costs`);
    await page.getByRole('row', { name: 'Backend 1' }).waitFor();
    await press(page.getByLabel('By', { exact: true }), 'ArrowDown');
    await page.getByRole('row', { name: 'customer-17 1' }).waitFor();
    const download = page.waitForEvent('download');
    await press(site.button('Save as CSV'));
    expect((await download).suggestedFilename()).toBe('costs-by-end_user.csv');
  });
});
