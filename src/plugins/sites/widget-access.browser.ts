import { expect, it } from '@jest/globals';
import type { BrowserContextOptions, Locator } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import { tool } from '../../../test/support/requirement.js';
import {
  eachVisitor,
  QUESTION,
  toHtml,
  type Visiting,
  type Visitor,
} from '../../../test/support/widget.js';

const PHONE = { width: 390, height: 844 };

tool('Chromium', hasChromium).describe('the widget for everybody', () => {
  let visiting: Visiting;
  let visitor: Visitor;

  eachVisitor((...opened) => {
    [visiting, visitor] = opened;
  });

  it.each<[string, BrowserContextOptions, string | undefined]>([
    ['in light colours', {}, undefined],
    ['in light colours with a pale accent', {}, '#ffee58'],
    ['in dark colours', { colorScheme: 'dark' }, undefined],
    ['in dark colours with a dark accent', { colorScheme: 'dark' }, '#0b2e6f'],
    ['on a phone', { viewport: PHONE }, '#e91e63'],
  ])('has no fault %s, closed, open and answered', async (name, options, accent) => {
    const site = await visiting.createSite({
      ...{ suggestions: [QUESTION], contact_url: 'https://shop.example.com/contact' },
      ...(accent !== undefined && { theme: { accent } }),
    });
    // In the body, since axe decides about no colours beside it.
    const address = visiting.pages.put('/', { body: toHtml(visiting.element(site)) });
    const one = await visiting.newVisitor(options);
    await one.page.goto(address);
    await one.launcher.waitFor();
    await one.expectNoFaults(`${name}, closed`);
    await one.open();
    await one.expectNoFaults(`${name}, open`);
    await one.ask();
    await one.page.getByText('Sources (1)').click();
    await one.page.getByRole('button', { name: 'Helpful', exact: true }).click();
    await one.page.getByText('Thank you!').waitFor();
    await one.expectNoFaults(`${name}, answered`);
    await one.context.close();
  });

  it('is used by keyboard alone, and takes no key from the page nor gives it one', async () => {
    const site = await visiting.createSite();
    const listener = `<script>window.keys = []; addEventListener('keydown', ({ key }) => keys.push(key))</script>`;
    const body = toHtml(listener + visiting.snippet(site));
    const { page } = visitor;
    await page.goto(visiting.pages.put('/', { body }));
    await visitor.launcher.waitFor();
    await tabTo(visitor.launcher);
    await page.keyboard.press('Enter');
    await focused(visitor.field);
    expect(await visitor.field.inputValue()).toBe('');
    await page.keyboard.type('First line');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type(QUESTION);
    await page.keyboard.press('Enter');
    await visitor.answers.first().waitFor();
    await focused(visitor.field);
    const cite = page.getByRole('button', { name: 'Sources 1: Returns policy' });
    await tabTo(cite, 'Shift+Tab');
    await page.keyboard.press('Enter');
    // The source is shown, and is the next thing that is read.
    await page.getByRole('listitem').and(page.locator(':focus')).waitFor();
    const helpful = page.getByRole('button', { name: 'Helpful', exact: true });
    await tabTo(helpful);
    await page.keyboard.press('Space');
    await page.locator('[aria-pressed=true]').waitFor();
    await page.keyboard.press('Escape');
    await focused(visitor.launcher);
    expect(await visitor.panel.count()).toBe(0);
    expect(new Set(await page.evaluate<string[]>('keys'))).toEqual(new Set(['Tab', 'Enter']));
  });

  it('keeps the focus of whoever reads the page', async () => {
    const site = await visiting.createSite();
    const body = toHtml(`<input aria-label="Search">${visiting.snippet(site)}`);
    const { page } = visitor;
    await page.goto(visiting.pages.put('/', { body }));
    await visitor.open();
    await visitor.field.fill(QUESTION);
    await page.keyboard.press('Enter');
    await visitor.answers.first().waitFor();
    await page.reload();
    await visitor.panel.waitFor();
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true);
  });

  it('covers a phone, and nothing behind it can be reached', async () => {
    const site = await visiting.createSite();
    const body = toHtml(`<a href="/">Home</a>${visiting.snippet(site)}`);
    const address = visiting.pages.put('/', { body });
    const one = await visiting.newVisitor({ viewport: PHONE });
    await one.page.goto(address);
    await one.open();
    expect(await one.panel.boundingBox()).toEqual({ x: 0, y: 0, ...PHONE });
    for (let presses = 0; presses < 15; presses++) {
      await one.page.keyboard.press('Tab');
      expect(await one.page.evaluate('document.activeElement.localName')).not.toBe('a');
    }
    await one.page.keyboard.press('Escape');
    await one.launcher.waitFor();
    expect(one.errors).toEqual([]);
    await one.context.close();
  });

  it.each([
    ['de-CH', 'Frage stellen', 'ltr'],
    ['ar', 'اطرح سؤالاً', 'rtl'],
    ['ja', '質問する', 'ltr'],
    ['he', 'Ask a question', 'ltr'],
    ['', 'Ask a question', 'ltr'],
  ])('speaks the language of a page in %j', async (language, words, direction) => {
    const site = await visiting.createSite();
    const attributes = `lang="${language}"`;
    const body = toHtml(visiting.snippet(site), { attributes });
    await visitor.page.goto(visiting.pages.put('/', { body }));
    const button = visitor.page.getByRole('button', { name: words });
    await button.waitFor();
    expect(await visitor.page.locator('latchkey-chat .root').getAttribute('dir')).toBe(direction);
  });

  it.each([
    ['rtl', {}, 'left'],
    ['rtl', { position: 'right' }, 'right'],
    ['ltr', { position: 'left' }, 'left'],
  ])('is in the corner where a page in %s with %j expects it', async (dir, theme, side) => {
    const site = await visiting.createSite({ theme });
    const attributes = `lang="ar" dir="${dir}"`;
    const body = toHtml(visiting.snippet(site), { attributes });
    const { page } = visitor;
    await page.goto(visiting.pages.put('/', { body }));
    const button = page.getByRole('button', { name: 'اطرح سؤالاً' });
    const { x = 0 } = (await button.boundingBox()) ?? {};
    expect(x < 640 ? 'left' : 'right').toBe(side);
    await button.click();
    await visitor.expectNoFaults(`Arabic in ${dir}`);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
  });

  const focused = (target: Locator) => target.and(visitor.page.locator(':focus')).waitFor();

  /** Goes on with the Tab key, as somebody without a mouse, until it is there. */
  const tabTo = async (target: Locator, key = 'Tab') => {
    const reached = target.and(visitor.page.locator(':focus'));
    for (let presses = 0; presses < 30; presses++) {
      if ((await reached.count()) > 0) return;
      await visitor.page.keyboard.press(key);
    }
    throw new Error('The Tab key does not lead there');
  };
});
