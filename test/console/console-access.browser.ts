import { expect, it } from '@jest/globals';
import type { Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../support/browser.js';
import { Client, type Document, type KnowledgeBase } from '../support/client.js';
import { ANSWER, ConsolePage, eachInConsole, QUESTION } from '../support/console.js';
import { newUserId } from '../support/shared-service.js';
import { tool } from '../support/requirement.js';

const chromium = tool('Chromium', hasChromium);

chromium.describe('access in the console', () => {
  let page: BrowserPage;
  let site: ConsolePage;
  let complaints: string[];
  let alice: Client;
  let kb: KnowledgeBase;
  let document: Document;

  eachInConsole(async (opened) => {
    ({ alice, kb, page, site, complaints } = opened);
    document = await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    await site.open(`/kbs/${kb.id}/documents`);
  });

  const dialog = (name: string) => page.getByRole('dialog', { name });
  const openDocument = () => site.open(`/kbs/${kb.id}/documents/${document.id}`);
  /** Refusals are answers, too. */
  const forgive = (status: number) => {
    const others = complaints.filter((each) => !each.includes(` ${status} `));
    complaints.splice(0, complaints.length, ...others);
  };
  /** The passages may not be read. */
  const closed = async () => {
    await page.getByText('Its rule does not let you read them').waitFor();
    forgive(404);
  };

  it('says who may read a document, changes it, and tells for somebody', async () => {
    await openDocument();
    await page.getByText('Whoever may ask this knowledge base. It has no rule').waitFor();
    await site.button('Change access…').click();
    await page.getByLabel('Access', { exact: true }).selectOption('these users and groups');
    await page.getByLabel('Allow').fill('group:support\n\nuser:anna\ngroup:legal, tax');
    await page.getByLabel('Deny').fill('group:interns');
    await site.expectNoFaults('change access');
    await site.button('Save').click();
    const words =
      'The groups legal, tax and support, and the user anna, but not the group interns.';
    await page.getByText(words).waitFor();
    await closed();
    expect(await site.button('Download').count()).toBe(0);

    await page.getByText('Check a person’s access').click();
    const check = async (user: string, groups: string) => {
      await page.getByLabel('User id').fill(user);
      await page.getByLabel('Groups').fill(groups);
      await site.button('Check').click();
    };
    await check('bert', 'support');
    await page.getByText('Yes: the group support is allowed.').waitFor();
    await check('bert', 'support\ninterns');
    await page.getByText('No: the group interns is denied.').waitFor();
    await check('bert', '');
    await page.getByText('No: nothing allows them.').waitFor();
    await site.expectNoFaults('document with a rule');

    await site.button('Change access…').click();
    expect(await page.getByLabel('Allow').inputValue()).toContain('legal, tax');
    await page.getByLabel('Allow').fill('support');
    await site.button('Save').click();
    await page.getByText('must be everyone, user:<id> or group:<name>').first().waitFor();
    forgive(400);
    for (const [choice, said] of [
      ['everyone', 'Everyone.'],
      ['nobody', 'Nobody.'],
      ['the default: whoever may ask', 'Whoever may ask this knowledge base. It has'],
    ] as const) {
      if ((await site.button('Save').count()) === 0) await site.button('Change access…').click();
      const select = page.getByLabel('Access', { exact: true });
      const label = await select.locator('option', { hasText: choice }).innerText();
      await select.selectOption(label);
      await site.button('Save').click();
      await page.getByText(said).waitFor();
      if (choice === 'nobody') await closed();
    }
    await page.getByText(ANSWER).waitFor();
    // The words of before may have stood there while the passages were read again.
    forgive(404);
  });

  it('gives a set to documents, changes it for all of them, and deletes it when none has it', async () => {
    await site.openPage('Access');
    await page.getByText('No access sets yet').waitFor();
    await site.button('Create access set').click();
    await page.getByLabel('Name').fill('Staff');
    await page.getByLabel('Allow').fill('group:staff');
    await site.expectNoFaults('new access set');
    await site.button('Create').click();
    await page.getByRole('cell', { name: 'The group staff' }).waitFor();

    await openDocument();
    await site.button('Change access…').click();
    await page.getByLabel('Access', { exact: true }).selectOption('whom an access set allows');
    await site.button('Save').click();
    await page.getByText('The group staff, as the access set “Staff” says.').waitFor();
    await closed();

    await site.openPage('Access');
    await site.button('Staff').click();
    await page.getByText('A change reaches 1 document at once.').waitFor();
    await page.getByLabel('Name').fill('Everybody here');
    await page.getByLabel('Allow').fill('everyone');
    await page.getByLabel('Deny').fill('group:guests');
    await site.button('Save').click();
    await page.getByRole('cell', { name: 'Everyone, but not the group guests' }).waitFor();
    await site.expectNoFaults('access sets');

    await site.act('Delete Everybody here');
    await dialog('Delete Everybody here?').getByText('1 document has it.').waitFor();
    await site.button('Delete access set').click();
    await page.getByText('The access set is used by documents.').waitFor();
    forgive(409);
    await dialog('Delete Everybody here?').getByRole('link', { name: '1 document' }).click();
    await page.getByRole('link', { name: 'Returns' }).waitFor();
    expect(await page.getByLabel('Access set').locator('option:checked').innerText()).toBe(
      'Everybody here',
    );
    await alice.call('PATCH', `/documents/${document.id}`, { access: null });
    await site.openPage('Access');
    await site.act('Delete Everybody here');
    await page.getByText('No document has it.').waitFor();
    await site.button('Delete access set').click();
    await page.getByText('No access sets yet').waitFor();
  });

  it('closes documents without a rule by the keyboard alone, and opens one again', async () => {
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await site.openPage('Access');
    await page.getByLabel('Documents without a rule').focus();
    await press('ArrowDown', 'Tab', 'Enter');
    await page.getByText('The default is saved.').waitFor();
    await openDocument();
    await page.getByText('Nobody. It has no rule of its own.').waitFor();
    await closed();
    await page.getByText('Check a person’s access').focus();
    await press('Enter', 'Tab');
    await page.keyboard.type('anna');
    await press('Enter');
    await page.getByText('No: the document has no rule of its own').waitFor();
    await site.button('Change access…').focus();
    await press('Enter');
    await dialog('Who may read “Returns”?').waitFor();
    await press('ArrowDown', 'Tab', 'Tab', 'Enter');
    await page.getByText('Everyone.', { exact: true }).waitFor();
    await page.getByText(ANSWER).waitFor();
  });

  it('asks as somebody else, says so, and leaves it in the audit', async () => {
    await alice.call('PATCH', `/documents/${document.id}`, {
      access: { allow: ['group:support'] },
    });
    await site.openPage('Playground');
    await site.ask(QUESTION);
    expect(await page.getByText(ANSWER).count()).toBe(0);
    const askAs = async (user: string, groups: string) => {
      await site.button('Ask as…').click();
      await page.getByLabel('User id').fill(user);
      await page.getByLabel('Groups').fill(groups);
      await site.expectNoFaults('ask as');
      await site.button('Ask as this person').click();
    };
    await askAs('anna', 'support');
    await page.getByText('You ask as the group support, and the user anna.').waitFor();
    await site.ask(QUESTION);
    await page.locator('.answer').getByText(ANSWER).first().waitFor();
    await site.expectNoFaults('asked as');
    await site.button('Ask as yourself').click();
    await page.locator('.answer').waitFor({ state: 'detached' });
    await askAs('', '');
    await page.getByText('You ask as somebody of whom nothing is known.').waitFor();
    await site.ask(QUESTION);
    expect(await page.getByText(ANSWER).count()).toBe(0);
    await site.openPage('Audit');
    await page.getByText('knowledge_base.asked_as').first().waitFor();
  });

  it('shows a viewer the default, and no rules', async () => {
    const viewer = newUserId('viewer');
    await alice.call('PUT', `/kbs/${kb.id}/members/${viewer}`, { role: 'viewer' });
    await site.signOut();
    await site.signIn(viewer);
    await site.open(`/kbs/${kb.id}/access`);
    await page.getByText('Members and owners change who may read').waitFor();
    expect(await site.button('Save the default').count()).toBe(0);
    await openDocument();
    await page.getByText(ANSWER).waitFor();
    expect(await page.getByText('Who may read it').count()).toBe(0);
    await site.expectNoFaults('document of a viewer');
  });
});
