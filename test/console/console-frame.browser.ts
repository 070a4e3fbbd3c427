import { expect, it } from '@jest/globals';
import type { BrowserContext, Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../support/browser.js';
import { Client, type KnowledgeBase, outcome, type Page } from '../support/client.js';
import { ANSWER, ConsolePage, eachInConsole, expectRefusals } from '../support/console.js';
import { tool } from '../support/requirement.js';
import { newUserId, type SharedService } from '../support/shared-service.js';

const chromium = tool('Chromium', hasChromium);

chromium.describe('the frame of the console', () => {
  let page: BrowserPage;
  let context: BrowserContext;
  let site: ConsolePage;
  let service: SharedService;
  let alice: Client;
  let kb: KnowledgeBase;
  let complaints: string[];

  eachInConsole((opened) => {
    ({ alice, kb, page, site, context, service, complaints } = opened);
  });

  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const finder = () => page.getByRole('combobox', { name: 'Go to' });
  const find = async (text: string) => {
    await page.keyboard.press('ControlOrMeta+k');
    await finder().fill(text);
  };
  const option = (name: string | RegExp) => page.getByRole('option', { name });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });

  it('does things by a few letters: a key is created, a text written, files are asked for', async () => {
    await site.open(`/kbs/${kb.id}/overview`);
    await find('create api');
    await option(/Create API key/).waitFor();
    await site.expectNoFaults('actions of the finder');
    await page.keyboard.press('Enter');
    await dialog('Create API key').getByLabel('Name', { exact: true }).fill('Web shop');
    await dialog('Create API key').getByRole('button', { name: 'Create', exact: true }).click();
    await site.button('I have stored it').click();
    await find('write text');
    await option(/Write a text/).waitFor();
    await page.keyboard.press('Enter');
    await dialog('Write a text').waitFor();
    await page.keyboard.press('Escape');
    await find('upload');
    await option(/Upload documents/).waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('Enter');
    await chooser;
    await page.waitForURL(`**/kbs/${kb.id}/documents`);
    await find('overlap');
    await option(/Overlap/).click();
    await page.waitForURL('**/settings/search?field=chunk_overlap');
    await page.getByLabel('Overlap').and(page.locator(':focus')).waitFor();
  });

  it('opens what a pasted id names, from any page, and sends no secret', async () => {
    const document = await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    const key = await alice.createApiKey(kb.id, { name: 'Web shop' });
    const other = await alice.createKnowledgeBase('Human resources');
    const { body: chat } = await alice.chat(key.api_key, 'May orders be returned?');
    await site.open(`/kbs/${other.id}/overview`);
    await find(document.id);
    await option(/Returns/).waitFor();
    await page.keyboard.press('Enter');
    await heading('Returns').waitFor();
    await site.open('/');
    await find(key.id);
    await option(/Web shop/).waitFor();
    await page.keyboard.press('Enter');
    await dialog('Web shop').waitFor();
    await page.keyboard.press('Escape');
    await find(chat.conversation_id);
    await option(/May orders be returned/).click();
    await page.waitForURL(`**/conversations/${chat.conversation_id}`);

    // A key that leaked is found by its prefix, wherever it is from.
    await site.open('/');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
    await find(key.api_key);
    await option(/Web shop/).waitFor();
    expect(sent.filter((text) => text.includes(key.api_key))).toEqual([]);
    expect(sent.some((text) => text.includes(key.api_key.slice(0, 19)))).toBe(true);
    await finder().fill('doc_01kafdp6ygf4rs4s2cr5cvzwkc');
    await page.getByText('Nothing fits.').waitFor();
    expectRefusals(complaints, 404);
  });

  it('offers only what the role allows', async () => {
    const viewer = newUserId('viewer');
    await alice.call('PUT', `/kbs/${kb.id}/members/${viewer}`, { role: 'viewer' });
    await site.signOut();
    await site.signIn(viewer);
    await site.open(`/kbs/${kb.id}/overview`);
    await find('');
    await option(/Ask a question/).waitFor();
    expect(await option(/Create API key|Upload documents|Add a member/).count()).toBe(0);
    // Nor by the address.
    await site.open(`/kbs/${kb.id}/keys?open=new`);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('takes single keys, never while somebody types, and not when they are off', async () => {
    for (const title of ['First', 'Second']) await alice.addDocument(kb.id, { title, text: title });
    await site.open(`/kbs/${kb.id}/overview`);
    await page.keyboard.press('?');
    await dialog('Keyboard shortcuts').getByText('Create what the page creates').waitFor();
    await site.expectNoFaults('keyboard shortcuts');
    // With a dialog open they do nothing.
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.keyboard.press('Escape');
    await dialog('Keyboard shortcuts').waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/overview$/);
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await heading('Documents').waitFor();
    await page.getByRole('link', { name: 'Second' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('link', { name: 'Second' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('link', { name: 'First' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('k');
    await page.getByRole('link', { name: 'Second' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('gdcj?');
    expect(await page.getByLabel('Search titles').inputValue()).toBe('gdcj?');
    await page.getByText('No document fits').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await heading('API keys').waitFor();
    await site.button('Create API key').waitFor();
    await page.keyboard.press('c');
    await dialog('Create API key').waitFor();
    await page.keyboard.press('Escape');

    await page.locator('button.user').click();
    await page.getByLabel('Single-key shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.keyboard.press('?');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(page.url()).toMatch(/keys(?:\?.*)?$/);
    await page.keyboard.press('ControlOrMeta+k');
    await finder().waitFor();
  });

  it('gives every page of a knowledge base a key of its own', async () => {
    await site.open(`/kbs/${kb.id}/overview`);
    await page.keyboard.press('?');
    await dialog('Keyboard shortcuts').waitFor();
    const keys = await page.locator('.keys dt').allInnerTexts();
    expect(keys.length).toBeGreaterThan(15);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('keeps the theme, before the page is first painted', async () => {
    const scheme = () =>
      page.evaluate<string>('getComputedStyle(document.documentElement).colorScheme');
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await site.open(`/kbs/${kb.id}/overview`);
    const light = await ground();
    await page.locator('button.user').click();
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await site.expectNoFaults('user menu');
    await site.expectLegible('user menu');
    expect(await ground()).not.toBe(light);
    // What runs before the console says so, while the console itself is still on its way.
    await context.route('**/assets/*.js', (route) => route.abort());
    await page.reload();
    expect(await scheme()).toBe('dark');
    await context.unroute('**/assets/*.js');
    expect(complaints.splice(0).every((text) => text.includes('ERR_FAILED'))).toBe(true);
    await page.reload();
    await page.locator('button.user').click();
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'System' }).check({ force: true });
    expect(await ground()).toBe(light);
    await page.setViewportSize({ width: 390, height: 800 });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'You', exact: true }).click();
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true });
    await site.expectNoFaults('user menu of a phone');
    await site.expectLegible('user menu of a phone');
  });

  it('filters a list as one types, keeps the focus, and takes one step back', async () => {
    for (const title of ['Returns', 'Shipping', 'Opening hours']) {
      await alice.addDocument(kb.id, { title, text: title });
    }
    await site.open(`/kbs/${kb.id}/documents`);
    await page.getByRole('link', { name: 'Shipping' }).waitFor();
    const field = page.getByLabel('Search titles');
    await field.click();
    await page.keyboard.type('ret');
    await page.getByRole('link', { name: 'Shipping' }).waitFor({ state: 'detached' });
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type('urns');
    await page.waitForURL('**/documents?q=returns');
    await page.locator('form [role=status]').getByText('1 row').waitFor({ state: 'attached' });
    await page.goBack();
    await page.getByRole('link', { name: 'Shipping' }).waitFor();
    expect(await field.inputValue()).toBe('');
  });

  it('removes a member at once, says so, and takes it back with the same role', async () => {
    const bob = newUserId('bob');
    await alice.call('PUT', `/kbs/${kb.id}/members/${bob}`, { role: 'member' });
    const role = async () =>
      (
        await alice.get<Page<{ user_id: string; role: string }>>(`/kbs/${kb.id}/members`)
      ).body.data.find(({ user_id }) => user_id === bob)?.role;
    await site.open(`/kbs/${kb.id}/members`);
    await site.expectNoFaults('members');
    const row = page.getByRole('row', { name: bob });
    await row.getByRole('button', { name: `Actions: ${bob}` }).click();
    await site.expectNoFaults('actions of a row');
    await page.keyboard.press('Escape');
    await row
      .getByRole('button', { name: `Actions: ${bob}` })
      .and(page.locator(':focus'))
      .waitFor();
    await site.act(`Remove ${bob}`, row);
    await page.getByText(`${bob} is removed.`).waitFor();
    await row.waitFor({ state: 'detached' });
    expect(await role()).toBeUndefined();
    await site.expectNoFaults('undo');
    await site.expectLegible('undo');
    await page.keyboard.press('z');
    await page.getByText('Undone.').waitFor();
    await row.waitFor();
    expect(await role()).toBe('member');
  });

  it('ends a compromised key at once, and says what that breaks', async () => {
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    const key = await alice.createApiKey(kb.id, { name: 'Web shop' });
    expect(outcome(await alice.query(key.api_key, 'Returns?'))).toBe('200');
    await site.open(`/kbs/${kb.id}/keys`);
    await site.button('Web shop').click();
    await site.button('Rotate…').click();
    const stops = page.getByLabel('The old key stops');
    expect(await stops.inputValue()).toBe('86400');
    await page.getByLabel('Compromised').check();
    expect(await stops.inputValue()).toBe('0');
    await site.expectNoFaults('rotate a compromised key');
    await site.button('Rotate key').click();
    await site.button('I have stored it').click();
    expect(outcome(await alice.query(key.api_key, 'Returns?'))).toMatch(/^401/);
  });

  it('saves a group of the settings, and shows defaults where nothing is set', async () => {
    await site.open(`/kbs/${kb.id}/settings`);
    await page.getByRole('link', { name: 'Privacy', exact: true }).click();
    const retention = page.getByLabel('Retention in days');
    expect(await retention.getAttribute('placeholder')).toBe('kept for good');
    await retention.fill('30');
    await site.expectNoFaults('settings of a group');
    await site.button('Save').click();
    await page.getByText('The settings are saved.').waitFor();
    expect((await alice.get(`/kbs/${kb.id}/settings`)).body).toMatchObject({ retention_days: 30 });
    await page.reload();
    expect(await retention.inputValue()).toBe('30');
    // What is wrong is said once, at its field.
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByLabel('Overlap').fill('290');
    await site.button('Save').click();
    await page.getByRole('alert').getByText('Not saved. Change what is marked.').waitFor();
    await page.getByLabel('Overlap').and(page.locator(':focus')).waitFor();
    expectRefusals(complaints, 400);
    await site.open(`/kbs/${kb.id}/settings/nonsense`);
    await heading('Not found').waitFor();
  });

  it('says who has no access what to do, also while the page is open', async () => {
    const bob = new Client(service, newUserId('bob'));
    const theirs = await bob.createKnowledgeBase('Theirs');
    await site.open(`/kbs/${theirs.id}/documents`);
    await page.getByText('You have no access to this knowledge base, or it was deleted.').waitFor();
    await site.expectNoFaults('no access');
    const user = (await page.locator('main code').innerText()).trim();
    await bob.call('PUT', `/kbs/${theirs.id}/members/${user}`, { role: 'member' });
    await page.reload();
    await heading('Documents').waitFor();
    await bob.call('DELETE', `/kbs/${theirs.id}/members/${user}`);
    // Whatever is loaded next finds it out.
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await heading('No access').waitFor();
    await page.getByRole('link', { name: 'All knowledge bases' }).click();
    await heading('Knowledge bases').waitFor();
    expectRefusals(complaints, 404);
  });
});
