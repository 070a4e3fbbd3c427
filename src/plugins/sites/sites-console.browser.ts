import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { BrowserContext, Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import type { Client, KnowledgeBase, Page } from '../../../test/support/client.js';
import {
  ANSWER,
  type ConsolePage,
  eachInConsole,
  QUESTION,
} from '../../../test/support/console.js';
import { figure } from '../../../test/support/figure.js';
import { tool } from '../../../test/support/requirement.js';
import { eventually } from '../../../test/support/service.js';
import { TestSite } from '../../../test/support/sources.js';

interface Site {
  id: string;
  name: string;
  state: string;
  origins: string[];
  suggestions: string[];
  theme: object;
  daily_messages: number;
  proof_of_work: number;
}

const SIZES = [
  { width: 1280, height: 900 },
  { width: 390, height: 844 },
];

tool('Chromium', hasChromium).describe('sites in the console', () => {
  let alice: Client;
  let kb: KnowledgeBase;
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let complaints: string[];
  let shop: TestSite;

  eachInConsole((opened) => {
    ({ alice, kb, context, page, site, complaints } = opened);
  });
  beforeEach(async () => {
    shop = await TestSite.start();
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
  });
  afterEach(() => shop.stop());

  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const shopUrl = () => `http://127.0.0.1:${shop.port}`;
  const create = async (more: object = {}) => {
    const body = { name: 'Help centre', origins: [shopUrl()], proof_of_work: 0, ...more };
    return (await alice.post<Site>(`/kbs/${kb.id}/sites`, body)).body;
  };
  const list = async () => (await alice.get<Page<Site>>(`/kbs/${kb.id}/sites`)).body.data;
  const forgive = (pattern: RegExp) => {
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !pattern.test(one)));
  };
  const openPreview = async () => {
    const frame = page.locator('iframe[title="Sample page with the chat"]');
    const launcher = frame.contentFrame().getByRole('button', { name: 'Ask a question' });
    await launcher.waitFor();
    // What stands still in a frame is not scrolled to.
    await frame.scrollIntoViewIfNeeded();
    await launcher.click();
    return frame.contentFrame();
  };

  it('are made, answer on a page of another origin, and show in the inbox what was asked', async () => {
    const begun = performance.now();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await site.open(`/kbs/${kb.id}/sites`);
    await site.button('Create site').click();
    await page.getByLabel('Name', { exact: true }).fill('Help centre');
    // As it is copied from the address bar.
    await page.getByLabel('Origins').fill(`${shopUrl()}/help?from=footer`);
    await site.button('Create').click();
    await page.getByRole('heading', { name: 'Help centre', level: 1 }).waitFor();
    await page
      .getByRole('region', { name: 'Put it on your pages' })
      .getByRole('button', { name: 'Copy' })
      .click();
    await page.getByText('Copied.').waitFor();
    const snippet = await page.evaluate<string>('navigator.clipboard.readText()');

    shop.pages.set(
      '/help',
      `<!doctype html><html lang="en"><body><h1>Help</h1>${snippet}</body></html>`,
    );
    const visitor = await context.newPage();
    await visitor.goto(`${shopUrl()}/help`);
    await visitor.getByRole('button', { name: 'Ask a question' }).click();
    await visitor.getByLabel('Your question').fill(QUESTION);
    await visitor.getByRole('button', { name: 'Send' }).click();
    await visitor.getByText('within 30 days').first().waitFor();
    figure(
      `site made, question answered on a page: ${((performance.now() - begun) / 1000).toFixed(1)} s`,
    );

    await page.getByText('1 of 500').waitFor();
    await page.getByRole('link', { name: '1 conversation' }).click();
    const row = page.getByRole('row').filter({ hasText: QUESTION });
    await row.getByRole('cell', { name: 'Help centre · site' }).waitFor();
    await site.expectNoFaults('inbox with a site');
    await row.getByRole('link', { name: QUESTION }).click();
    await page.getByRole('heading', { name: QUESTION }).waitFor();
    await page.getByText('Help centre · site').waitFor();
  });

  it('need a name and an origin, and say at the field what is wrong with it', async () => {
    await site.open(`/kbs/${kb.id}/sites`);
    await site.button('Create site').click();
    await page.getByLabel('Name', { exact: true }).fill('Shop');
    await page.getByLabel('Origins').fill('shop.example.com\nour help centre');
    await site.button('Create').click();
    const origins = page.getByLabel('Origins');
    await eventually(async () => (await origins.getAttribute('aria-invalid')) === 'true');
    await site.expectNoFaults('refused site');
    await origins.fill('shop.example.com/help\nhttps://shop.example.com\nlocalhost:3000/');
    // What is refused by the browser is shown, wherever it is.
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Proof of work').selectOption('advanced: in bits');
    await page.getByLabel('Bits').fill('40');
    await page.getByText('More', { exact: true }).click();
    await site.button('Create').click();
    await page.getByLabel('Bits').waitFor();
    await page.getByLabel('Bits').fill('12');
    await page.getByLabel('Suggestions').fill('1\n2\n3\n4\n5\n6');
    await page.getByText('More', { exact: true }).click();
    await site.button('Create').click();
    await page.locator('small').getByText('no more than 5').waitFor();
    await page.getByLabel('Suggestions').fill(`${QUESTION}\n\n  Who pays?  `);
    await page.getByLabel('Accent colour', { exact: true }).fill('#0b6e4f');
    await page.getByLabel('Position').selectOption('bottom left');
    await page.getByLabel('Questions a day', { exact: true }).fill('20');
    await site.button('Create').click();
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    expect(await list()).toMatchObject([
      {
        origins: ['https://shop.example.com', 'http://localhost:3000'],
        suggestions: [QUESTION, 'Who pays?'],
        theme: { accent: '#0b6e4f', position: 'left' },
        daily_messages: 20,
        proof_of_work: 12,
      },
    ]);
    forgive(/ 400 /);
  });

  it('are shown on a sample page as they are saved, where they answer', async () => {
    const { id } = await create({ greeting: 'Ask away.' });
    await site.open(`/kbs/${kb.id}/sites/${id}`);
    const chat = await openPreview();
    await chat.getByText('Ask away.').waitFor();
    await chat.getByLabel('Your question').fill(QUESTION);
    await chat.getByLabel('Your question').press('Enter');
    await chat.getByText('within 30 days').first().waitFor();
    await page.getByText('1 of 500').waitFor();
    await site.button('Change').click();
    await page.getByLabel('Greeting').fill('What is it?');
    await site.button('Save').click();
    await chat.getByText('What is it?').waitFor({ state: 'attached' });
    expect(await chat.getByText('Ask away.').count()).toBe(0);
  });

  it('are paused and resumed with one press, which the sample page shows', async () => {
    const { id } = await create();
    await site.open(`/kbs/${kb.id}/sites`);
    await site.act('Pause Help centre');
    await page.getByText('paused', { exact: true }).waitFor();
    await site.open(`/kbs/${kb.id}/sites/${id}`);
    await site.button('Resume').click();
    await page.getByText('active', { exact: true }).waitFor();
    await site.button('Pause').click();
    await page.getByText('paused', { exact: true }).waitFor();
    expect(await list()).toMatchObject([{ state: 'paused' }]);
    await (await openPreview()).getByText('This chat is paused.').first().waitFor();
  });

  it('are deleted, after the page has said what ends', async () => {
    const { id } = await create();
    await site.open(`/kbs/${kb.id}/sites/${id}`);
    await site.button('Delete…').click();
    await dialog('Delete “Help centre”?').getByText('The chat disappears').waitFor();
    await site.expectNoFaults('delete a site');
    await site.button('Delete site').click();
    await page.getByText('No sites yet').waitFor();
    expect(await list()).toEqual([]);
    // Its page may have read it once more.
    forgive(/ 404 /);
  });

  it('are made by the keyboard alone', async () => {
    await site.open(`/kbs/${kb.id}/sites`);
    await site.tabTo(site.button('Create site'));
    await page.keyboard.press('Enter');
    await dialog('Create site').waitFor();
    await page.keyboard.type('Shop');
    await page.keyboard.press('Tab');
    await page.keyboard.type('shop.example.com');
    await site.tabTo(site.button('Create'));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    await site.tabTo(site.button('Pause'));
    await page.keyboard.press('Enter');
    await page.getByText('paused', { exact: true }).waitFor();
  });

  it.each([
    ['light', 'ltr'],
    ['dark', 'ltr'],
    ['light', 'rtl'],
    ['dark', 'rtl'],
  ] as const)('have no fault that axe finds, and fit, %s, %s', async (theme, direction) => {
    const name = 'مركز المساعدة لجميع فروع الشركة في أوروبا والشرق الأوسط';
    const long = `https://${'a-long-name.'.repeat(12)}example.com`;
    const made = await create({ name, origins: [shopUrl(), long], greeting: 'كيف نساعدك؟' });
    await create({ name: 'Shop', daily_messages: 1 });
    await page.addInitScript(
      `if (top === window) addEventListener('DOMContentLoaded', () => { document.documentElement.dir = '${direction}'; })`,
    );
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    const look = async (what: string) => {
      await site.expectNoFaults(`${what} ${theme} ${direction}`);
      if (direction === 'ltr') await site.expectDirected(what);
      for (const size of SIZES) {
        await page.setViewportSize(size);
        await site.expectLegible(`${what} ${theme} ${direction} ${size.width}`);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    };
    await site.open(`/kbs/${kb.id}/sites`);
    await look('sites');
    await site.button('Create site').click();
    await page.getByText('More', { exact: true }).click();
    await look('create site');
    await page.getByLabel('Proof of work').selectOption('advanced: in bits');
    await page.getByLabel('Bits').scrollIntoViewIfNeeded();
    await look('looks and limits of a site');
    await page.keyboard.press('Escape');
    await site.open(`/kbs/${kb.id}/sites/${made.id}`);
    await openPreview();
    await look('site');
  });
});
