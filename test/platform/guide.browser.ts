import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { ConsolePage } from '../support/console.js';
import { tool } from '../support/requirement.js';
import { sharedService, type SharedService } from '../support/shared-service.js';

/** With lists, with code, with wide tables, and below a folder. */
const PAGES = ['', 'walk', 'configuration', 'errors', 'decisions/guide'];

/** The documentation site, as somebody reads it. */
tool('Chromium', hasChromium).describe('the guide in a browser', () => {
  let browser: Browser;
  let service: SharedService;
  let page: Page;
  let site: ConsolePage;
  let complaints: string[];

  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), sharedService()]);
  });
  beforeEach(async () => {
    page = await browser.newPage();
    site = new ConsolePage(page, service.url);
    complaints = complaintsOf(page);
  });
  afterEach(async () => {
    expect(complaints).toEqual([]);
    await page.close();
  });
  afterAll(() => browser.close());

  const open = (place: string) => page.goto(`${service.url}/docs/guide/${place}`);

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('has no fault that axe finds, and fits, %s, %i px', async (colorScheme, width) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 844 });
    for (const place of PAGES) {
      await open(place);
      await page.locator('h1').waitFor();
      await site.expectNoFaults(`${place} ${colorScheme} ${width}`);
      await site.expectLegible(`${place} ${width}`);
    }
  });

  it('has its contents beside the text, on a phone behind a word', async () => {
    await open('errors');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    expect(await contents.locator('[aria-current=page]').innerText()).toBe('Problem codes');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    expect(await contents.isVisible()).toBe(false);
    await page.getByText('Contents', { exact: true }).click();
    await contents.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
  });

  it('finds a section by the beginnings of words, with the keyboard alone', async () => {
    await open('');
    await site.tabTo(page.getByRole('searchbox', { name: 'Search' }));
    await page.keyboard.type('pepper rotat');
    const first = page.locator('#found a').first();
    const address = await first.evaluate((link) => String(Reflect.get(link, 'href')));
    await site.expectNoFaults('search');
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
    await open('');
    await page.getByRole('searchbox', { name: 'Search' }).fill('xyzzy');
    await page.getByText('Nothing is found.').waitFor();
  });
});
