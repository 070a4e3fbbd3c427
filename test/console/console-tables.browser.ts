import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { Client, type KnowledgeBase } from '../support/client.js';
import { ConsolePage } from '../support/console.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { sql } from '../support/sql.js';
import { tool } from '../support/requirement.js';

const ROWS = 10_000;
const PAGE_ROWS = 100;
const chromium = tool('Chromium', hasChromium);

chromium.describe('a table of 10,000 rows', () => {
  let browser: Browser;
  let service: SharedService;
  let site: ConsolePage;
  let complaints: string[];
  let kb: KnowledgeBase;

  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), sharedService()]);
    const user = newUserId('tables');
    const alice = new Client(service, user);
    kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, { title: 'Row 0', text: 'Hello.' });
    const { api_key } = await alice.createApiKey(kb.id);
    await alice.chat(api_key, 'Hello?', { end_user_id: 'user-0' });
    await multiply('documents', { title: `'Row ' || i`, sha256: `'hash-' || i` });
    await multiply('conversations', { end_user_id: `'user-' || i` });
    await multiply('events', { seq: '-i', actor: `'actor-' || i` });
    const page = await (await browser.newContext()).newPage();
    complaints = complaintsOf(page);
    site = new ConsolePage(page, service.url);
    await site.signIn(user);
  });
  afterAll(() => browser.close());

  /** Makes a row of the knowledge base into many. */
  async function multiply(table: string, changed: Record<string, string>) {
    const where = `kb_id = '${kb.id}'`;
    const [row] = await sql<{ id: string }>(
      service.environment,
      `SELECT * FROM ${table} WHERE ${where} LIMIT 1`,
    );
    if (!row) throw new Error(`There is no row in ${table}`);
    // As long as an id, and older than every real one.
    const [prefix = ''] = row.id.split('_');
    const id = `'${prefix}_01000000000' || (100000000000000 + i)`;
    const columns = Object.keys(row);
    const values = columns.map((name) => (name === 'id' ? id : (changed[name] ?? `t.${name}`)));
    await sql(
      service.environment,
      `WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < ${ROWS})
       INSERT INTO ${table} (${columns.join(', ')})
       SELECT ${values.join(', ')} FROM ${table} t, numbers WHERE t.id = '${row.id}'`,
    );
  }

  it.each([
    ['documents', 'Row 10000', 'Row 9900'],
    ['conversations', 'user-10000', 'user-9900'],
    ['audit', 'actor-10000', 'actor-9900'],
  ])('of %s is read a page at a time, by keyboard', async (section, first, later) => {
    const { page } = site;
    /** The focus follows once the new rows are drawn. */
    const focusIsInRows = () =>
      eventually(
        async () =>
          (await page.evaluate('document.activeElement.getAttribute("role")')) === 'region',
      );
    await site.open(`/kbs/${kb.id}/${section}`);
    await page.getByText(first, { exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(PAGE_ROWS);
    expect(await page.locator('.pager').innerText()).toMatch(/1–100 of 10,00\d/);

    await site.button('Next').focus();
    await page.keyboard.press('Enter');
    await page.getByText('101–200 of').waitFor();
    await page.getByText(later, { exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(PAGE_ROWS);
    // The next Tab goes on in the new rows.
    await focusIsInRows();

    // The address alone leads there, but not to what was before it.
    await page.reload();
    await page.getByText(later, { exact: true }).waitFor();
    await site.button('First page').click();
    await page.getByText(first, { exact: true }).waitFor();
    await page.goBack();
    await page.getByText('101–200 of').waitFor();
    await page.goBack();
    await page.getByText(first, { exact: true }).waitFor();
    await site.button('Next').click();
    await page.getByText(later, { exact: true }).waitFor();
    await focusIsInRows();
    await site.button('Previous').focus();
    await page.keyboard.press('Enter');
    await page.getByText(first, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is searched as a whole, from its first page on', async () => {
    const { page } = site;
    await site.open(`/kbs/${kb.id}/documents`);
    await site.button('Next').click();
    await page.getByText('101–200 of').waitFor();
    // The page may still be loading; when it comes, the focus must stay in the field.
    await page.getByLabel('Search titles').fill('Row 77');
    await page.keyboard.press('Enter');
    await page.getByText('Row 7799', { exact: true }).waitFor();
    expect(await page.locator('.pager').innerText()).toMatch(/1–100 of 111/);
  });
});
