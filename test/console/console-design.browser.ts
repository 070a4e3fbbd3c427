import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page as BrowserPage } from 'playwright-core';
import { hasChromium, openBrowser } from '../support/browser.js';
import { type ApiKey, Client, type KnowledgeBase, type Page } from '../support/client.js';
import { ANSWER, ConsolePage, consoleOfNewUser, PAGES } from '../support/console.js';
import { figure } from '../support/figure.js';
import { eventually } from '../support/service.js';
import { sharedService, type SharedService } from '../support/shared-service.js';
import { tool } from '../support/requirement.js';

const chromium = tool('Chromium', hasChromium);
const DAY_MS = 86_400_000;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

chromium.describe('the design of the console', () => {
  let browser: Browser;
  let service: SharedService;
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let complaints: string[];
  let alice: Client;
  let kb: KnowledgeBase;

  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), sharedService()]);
  });
  beforeEach(async () => {
    ({ alice, kb, context, page, site, complaints } = await consoleOfNewUser(browser, service));
    await page.setViewportSize({ width: 1280, height: 800 });
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await context.close();
  });
  afterAll(() => browser.close());

  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const openDialogs = () => page.locator('dialog[open]').count();
  const focused = (expression: string) => page.evaluate(`document.activeElement.${expression}`);

  /** What is shown must fit two widths. */
  const expectToFit = async (name: string) => {
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await site.expectLegible(`${name} ${size.width}`);
    }
  };

  it.each([
    ['light', 'ltr'],
    ['dark', 'ltr'],
    ['light', 'rtl'],
    ['dark', 'rtl'],
  ] as const)('has every state of its components on a page, %s, %s', async (theme, direction) => {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    await page.goto(`${service.url}/console/components`);
    await page.getByRole('heading', { name: 'Layers' }).waitFor();
    await page.evaluate(`document.documentElement.dir = '${direction}'`);
    await page.getByRole('checkbox', { name: 'Select Returns' }).first().check();
    await page.getByText('1 selected').waitFor();
    await site.expectNoFaults(`components ${theme} ${direction}`);
    await expectToFit(`components ${theme} ${direction}`);
  });

  it.each([
    ['light', 'ltr'],
    ['light', 'rtl'],
    ['dark', 'rtl'],
  ] as const)(
    'has no fault that axe finds on any page, and fits, %s, %s',
    async (theme, direction) => {
      const name = 'دليل خدمة العملاء في جميع فروع الشركة في أوروبا والشرق الأوسط';
      await alice.call('PATCH', `/kbs/${kb.id}`, { name, description: `${name} (2.1).` });
      await alice.addDocument(kb.id, { title: 'سياسة الإرجاع', text: ANSWER });
      const { api_key } = await alice.createApiKey(kb.id, { name: 'متجر' });
      await alice.createCuratedAnswer(kb.id, { questions: ['متى تفتحون؟'], answer: 'كل يوم.' });
      await alice.createAccessSet(kb.id);
      await alice.createTrustedIssuer(kb.id);
      await alice.chat(api_key, 'هل تشحنون إلى المريخ؟', { end_user_id: 'customer-1' });
      await page.addInitScript(
        `addEventListener('DOMContentLoaded', () => { document.documentElement.dir = '${direction}'; })`,
      );
      await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
      await site.open(`/kbs/${kb.id}/overview`);
      // The sidebar is where a line begins, and has room for all pages.
      const sidebar = await page.getByRole('complementary').boundingBox();
      expect(sidebar?.x).toBe(direction === 'ltr' ? 0 : 1280 - (sidebar?.width ?? 0));
      expect(
        await page.evaluate(
          `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('aside nav'))`,
        ),
      ).toBe(0);
      for (const name of PAGES) {
        await site.openPage(name);
        await site.expectNoFaults(`${name} ${theme} ${direction}`);
        if (direction === 'ltr') await site.expectDirected(name);
        await expectToFit(`${name} ${theme} ${direction}`);
        await page.setViewportSize({ width: 1280, height: 800 });
      }
    },
  );

  it('moves nothing when another page is opened, and draws no frame around it', async () => {
    await site.open(`/kbs/${kb.id}/overview`);
    const links = page.getByRole('navigation', { name: 'Knowledge base' }).getByRole('link');
    const places = () =>
      page.evaluate<string>(
        `JSON.stringify([...document.querySelectorAll('nav a')].map((each) => each.getBoundingClientRect()))`,
      );
    const before = await places();
    await site.tabTo(links.getByText('Webhooks'));
    await page.keyboard.press('Enter');
    await page.getByText('No webhooks yet').waitFor();
    expect(await places()).toBe(before);
    // As after a link of the page itself, which is gone then.
    await page.evaluate(`document.getElementById('content').focus({ focusVisible: true })`);
    expect(
      await page.evaluate(`getComputedStyle(document.getElementById('content')).outlineStyle`),
    ).toBe('none');
  });

  it('shifts nothing while a page is loaded', async () => {
    for (let index = 0; index < 5; index++) {
      await alice.addDocument(kb.id, { title: `Document ${index}`, text: `${index} ${ANSWER}` });
    }
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) {
          if (!hadRecentInput) window.shift += value;
        }
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    for (const section of ['overview', 'documents', 'keys', 'settings']) {
      await site.open(`/kbs/${kb.id}/${section}`);
      const shift = await page.evaluate<number>('window.shift');
      figure(`the layout of ${section} shifts by ${shift.toFixed(3)} while it is loaded`);
      expect(shift).toBeLessThan(0.1);
    }
  });

  it('goes anywhere by a few letters', async () => {
    await alice.addDocument(kb.id, { title: 'Returns and refunds', text: ANSWER });
    const key = await alice.createApiKey(kb.id, { name: 'Web shop' });
    const other = await alice.createKnowledgeBase('Human resources');
    await site.open(`/kbs/${kb.id}/overview`);
    const find = async (text: string) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox', { name: 'Go to' }).fill(text);
    };
    const places = page.getByRole('listbox', { name: 'Places' });
    const option = (name: string | RegExp) => places.getByRole('option', { name });
    const selected = () => places.getByRole('option', { selected: true }).innerText();
    await find('refunds');
    await option(/Returns and refunds/).waitFor();
    await site.expectNoFaults('go to');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Returns and refunds' }).waitFor();
    await find(key.api_key.slice(0, 19));
    await option(/Web shop/).waitFor();
    await page.keyboard.press('Enter');
    await dialog('Web shop').waitFor();
    await page.keyboard.press('Escape');
    await dialog('Web shop').waitFor({ state: 'detached' });
    await find('a');
    await option('Analytics').waitFor();
    const first = await selected();
    await page.keyboard.press('ArrowDown');
    expect(await selected()).not.toBe(first);
    await page.getByRole('combobox', { name: 'Go to' }).fill('human');
    await option(/Human resources/).click();
    await page.waitForURL(`**/kbs/${other.id}`);
    await find('nothing of this name');
    await page.getByText('Nothing fits.').waitFor();
  });

  it('sorts documents, and deletes those that were chosen', async () => {
    for (const title of ['Beta', 'Alpha', 'Gamma']) {
      await alice.addDocument(kb.id, { title, text: `${title} ${ANSWER}` });
    }
    await site.open(`/kbs/${kb.id}/documents`);
    const titles = () => page.locator('tbody td:nth-child(2)').allInnerTexts();
    await page.getByRole('link', { name: 'Gamma' }).waitFor();
    await site.button('Title').click();
    expect(await titles()).toEqual(['Alpha', 'Beta', 'Gamma']);
    await site.button('Title').click();
    expect(await titles()).toEqual(['Gamma', 'Beta', 'Alpha']);
    expect(await page.getByRole('columnheader', { name: 'Title' }).getAttribute('aria-sort')).toBe(
      'descending',
    );
    await page.getByLabel('Select Alpha').check();
    await page.getByLabel('Select Gamma').check();
    const chosen = page.getByRole('group', { name: 'Selected rows' });
    await chosen.getByText('2 selected').waitFor();
    await site.expectNoFaults('chosen documents');
    await chosen.getByRole('button', { name: 'Delete…' }).click();
    await dialog('Delete 2 documents?').getByText('This removes 2 passages from search').waitFor();
    await site.button('Delete 2 documents').click();
    await page.getByText('2 documents are deleted.').waitFor();
    await page.getByRole('link', { name: 'Gamma' }).waitFor({ state: 'detached' });
    expect(await titles()).toEqual(['Beta']);
    expect(await chosen.count()).toBe(0);
  });

  it('deletes until it is told to stop, and goes on with what is left', async () => {
    for (const title of ['A', 'B', 'C', 'D', 'E', 'F']) {
      await alice.addDocument(kb.id, { title, text: `${title} ${ANSWER}` });
    }
    const left = async () => {
      const { body } = await alice.get<Page<{ id: string }>>(`/kbs/${kb.id}/documents`);
      return body.data.map(({ id }) => id);
    };
    await site.open(`/kbs/${kb.id}/documents`);
    const ask = async () => {
      await page.getByLabel('Select all on this page').check();
      const chosen = page.getByRole('group', { name: 'Selected rows' });
      await chosen.getByRole('button', { name: 'Delete…' }).click();
    };
    const held = Promise.withResolvers<undefined>();
    let begun = 0;
    await page.route('**/api/v1/documents/*', async (route) => {
      begun += 1;
      await held.promise;
      await route.continue();
    });
    await ask();
    await site.button('Delete 6 documents').click();
    await eventually(() => Promise.resolve(begun === 4));
    await site.button('Cancel').click();
    await dialog('Delete 6 documents?').waitFor({ state: 'detached' });
    held.resolve(undefined);
    await page.getByText('4 documents are deleted.').waitFor();
    expect([begun, await left()]).toEqual([4, [expect.anything(), expect.anything()]]);
    await page.unroute('**/api/v1/documents/*');

    await eventually(async () => (await page.locator('tbody tr').count()) === 2);
    const [refused = ''] = await left();
    const json = { code: 'conflict', title: 'Conflict', detail: 'Not now.', status: 409 };
    const contentType = 'application/problem+json';
    await page.route(`**/${refused}`, (route) => route.fulfill({ status: 409, json, contentType }));
    await ask();
    await site.button('Delete 2 documents').click();
    await page.getByRole('alert').getByText('1 of 2 failed: Not now.').waitFor();
    expect(await left()).toEqual([refused]);
    await page.unroute(`**/${refused}`);
    // Somebody else is quicker.
    await alice.call('DELETE', `/documents/${refused}`);
    await site.button('Delete document').click();
    await page.getByText('No documents yet').waitFor();
    await eventually(async () => (await openDialogs()) === 0);
    const others = complaints.filter((one) => !/ (404|409) /.test(one));
    complaints.splice(0, complaints.length, ...others);
  });

  it('revokes keys that were chosen', async () => {
    for (const name of ['One', 'Two', 'Three']) await alice.createApiKey(kb.id, { name });
    await site.open(`/kbs/${kb.id}/keys`);
    await page.getByLabel('Select all on this page').check();
    await page.getByLabel('Select Two').uncheck();
    await page
      .getByRole('group', { name: 'Selected rows' })
      .getByRole('button', { name: 'Revoke…' })
      .click();
    await site.button('Revoke 2 keys').click();
    await page.getByText('2 keys revoked.').waitFor();
    const { body } = await alice.get<Page<ApiKey>>(`/kbs/${kb.id}/api-keys?active=true`);
    expect(body.data.map(({ name }) => name)).toEqual(['Two']);
  });

  it('asks before settings are left that are not saved', async () => {
    const openAnswers = async () => {
      await site.openPage('Settings');
      await page.getByRole('link', { name: 'Answers', exact: true }).click();
    };
    await site.open(`/kbs/${kb.id}/webhooks`);
    await openAnswers();
    const message = page.getByLabel('Fallback message');
    await message.fill('Ask Bob.');
    await page.getByText('Not saved yet.').waitFor();
    const leave = () => page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await leave();
    await dialog('Leave without saving?').waitFor();
    await site.expectNoFaults('leave without saving');
    await site.button('Stay').click();
    expect(await message.inputValue()).toBe('Ask Bob.');
    await page.evaluate('history.back()');
    await dialog('Leave without saving?').waitFor();
    await page.keyboard.press('Escape');
    expect(await message.inputValue()).toBe('Ask Bob.');
    await site.button('Save').click();
    await page.getByText('The settings are saved.').waitFor();
    await leave();
    await page.getByText('No webhooks yet').waitFor();
    await openAnswers();
    await message.fill('Ask Eve.');
    await leave();
    await site.button('Leave').click();
    await page.getByText('No webhooks yet').waitFor();
    const { body } = await alice.get(`/kbs/${kb.id}/settings`);
    expect(body).toMatchObject({ refusal_text: 'Ask Bob.' });
  });

  it('counts as not saved what is typed while it saves', async () => {
    await site.open(`/kbs/${kb.id}/settings/answers`);
    const message = page.getByLabel('Fallback message');
    const held = Promise.withResolvers<undefined>();
    const isHeld = Promise.withResolvers<undefined>();
    await page.route('**/settings', async (route) => {
      if (route.request().method() === 'PATCH') {
        isHeld.resolve(undefined);
        await held.promise;
      }
      await route.continue();
    });
    await message.fill('Ask Bob.');
    await site.button('Save').click();
    await isHeld.promise;
    await message.fill('Ask Eve.');
    held.resolve(undefined);
    await page.getByText('The settings are saved.').waitFor();
    expect(await page.getByText('Not saved yet.').count()).toBe(1);
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await dialog('Leave without saving?').waitFor();
    const { body } = await alice.get(`/kbs/${kb.id}/settings`);
    expect(body).toMatchObject({ refusal_text: 'Ask Bob.' });
  });

  it('lays no dialog on another, gives the focus back, and speaks on the topmost layer', async () => {
    const key = await alice.createApiKey(kb.id, { name: 'Web shop' });
    await site.open(`/kbs/${kb.id}/keys`);
    await site.button('Web shop').click();
    await site.button('Revoke…').click();
    await dialog('Revoke Web shop?').waitFor();
    expect(await openDialogs()).toBe(1);
    await page.keyboard.press('Escape');
    await dialog('Web shop').waitFor();
    expect(await focused('textContent')).toBe('Revoke…');
    await site.button('Revoke…').click();
    await site.button('Revoke key').click();
    const notice = page.getByText('The key is revoked.');
    await notice.waitFor();
    expect(await openDialogs()).toBe(1);
    const [takesClicks, isOnTop] = await page.evaluate<boolean[]>(`(() => {
      const notice = [...document.querySelectorAll('.notice')].find((each) => each.textContent);
      const { x, y, width, height } = notice.getBoundingClientRect();
      const isThere = () => document.elementFromPoint(x + width / 2, y + height / 2) === notice;
      return [isThere(), (notice.style.pointerEvents = 'auto') && isThere()];
    })()`);
    expect([takesClicks, isOnTop]).toEqual([false, true]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await alice.get<ApiKey>(`/api-keys/${key.id}`)).body.active).toBe(false);
  });

  it('does not say that all files are there where one has failed', async () => {
    await site.open(`/kbs/${kb.id}/documents`);
    const file = (name: string, text: string) => ({
      ...{ name, mimeType: 'text/markdown', buffer: Buffer.from(text) },
    });
    await page
      .locator('input[type=file]:not([webkitdirectory])')
      .setInputFiles([file('returns.md', ANSWER), file('empty.md', '![](a.png)')]);
    await page.getByText('1 of 2 · 1 failed').waitFor();
    expect(
      await page.getByRole('progressbar', { name: 'Files that are done' }).getAttribute('class'),
    ).toBe('failed');
  });

  it('leads from what is unhealthy to its mending, and from a sample to nothing left of it', async () => {
    const expires_at = new Date(Date.now() + 3 * DAY_MS).toISOString();
    await alice.createApiKey(kb.id, { name: 'Short-lived', expires_at });
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    await alice.call('POST', `/kbs/${kb.id}/documents`, {
      ...{ title: 'Broken', text: '<html></html>', mime_type: 'text/html' },
    });
    await site.open(`/kbs/${kb.id}/documents`);
    await page.locator('td .badge.failed').waitFor();
    await site.openPage('Overview');
    const matters = page.getByRole('listitem');
    await matters
      .filter({ hasText: 'Short-lived' })
      .getByRole('link', { name: 'Rotate it' })
      .click();
    await dialog('Short-lived').waitFor();
    await page.goBack();
    await page.goBack();
    await site.openPage('Overview');
    await site.expectNoFaults('overview with matters');
    await matters
      .filter({ hasText: '1 document could not be read' })
      .getByRole('link', { name: 'See why' })
      .click();
    await page.getByRole('row', { name: /Broken/ }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);

    // The page still reads the knowledge base.
    await page.goto('about:blank');
    await alice.call('DELETE', `/kbs/${kb.id}`);
    await site.open('/');
    await site.button('Try a sample').click();
    await page.getByText('This is a sample.').waitFor();
    await page.getByRole('link', { name: 'Ask a question' }).waitFor();
    await site.expectNoFaults('sample');
    await site.button('Remove the sample…').click();
    await site.button('Remove the sample').click();
    await page.getByText('Begin with a knowledge base').waitFor();
  });
});
