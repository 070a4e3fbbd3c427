import { join } from 'node:path';
import axe, { type AxeResults } from 'axe-core';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import { complaintsOf, openBrowser } from './browser.js';
import { Client } from './client.js';
import type { Service } from './service.js';
import { newUserId, sharedService, type SharedService } from './shared-service.js';

/** The pages of a knowledge base, as the sidebar names them. */
export const PAGES = [
  ...['Overview', 'Documents', 'Sources', 'Curated answers', 'Playground', 'Conversations'],
  ...[
    'Gaps',
    'Evaluations',
    'Sites',
    'Channels',
    'API keys',
    'Trusted issuers',
    'Webhooks',
    'Analytics',
    'Costs',
    'Members',
  ],
  ...['Access', 'Audit', 'Settings'],
];

/** The folder that gets pictures of all that is looked through for faults, to be looked at. */
const PICTURES = process.env['CONSOLE_PICTURES'];

export const ANSWER = 'Customers may return any order within 30 days of delivery.';
export const QUESTION = 'How long may customers return an order?';

/** What is waited for may be done by processes of a low priority, on a busy machine. */
const PAGE_TIMEOUT_MS = 120_000;

/** Texts that end where their box or the window does, without an ellipsis. */
const CUT_TEXTS = `[...document.querySelectorAll('body *')].filter((each) => {
  const isText = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  if (!isText || each.closest('.unseen, .skip, caption, thead, pre, svg')) return false;
  if (!each.checkVisibility({ visibilityProperty: true })) return false;
  const { overflowX, textOverflow, webkitLineClamp } = getComputedStyle(each);
  const isShort = textOverflow === 'ellipsis' || webkitLineClamp !== 'none';
  const isCut = overflowX === 'hidden' && each.scrollWidth > each.clientWidth + 1;
  const isSpilt = each.matches('button, .button') && each.scrollHeight > each.clientHeight + 2;
  return (isCut && !isShort) || isSpilt;
}).map(({ textContent }) => textContent)`;

/** Arabic texts that would run from left to right on a page that does. */
const UNDIRECTED_TEXTS = `(() => {
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    if (!/[\u0600-\u06ff]/.test(text.data) || text.parentElement.matches('option, title')) continue;
    let each = text.parentElement;
    const isDirected = ({ direction, unicodeBidi }) =>
      direction === 'rtl' || unicodeBidi === 'plaintext';
    while (each && !isDirected(getComputedStyle(each))) each = each.parentElement;
    if (!each) found.push(text.parentElement.outerHTML);
  }
  return found;
})()`;

/** The console in a browser, as a person uses it. */
export class ConsolePage {
  constructor(
    readonly page: Page,
    readonly url: string,
  ) {
    page.setDefaultTimeout(PAGE_TIMEOUT_MS);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Where the service believes every user id. */
  async signIn(user: string): Promise<void> {
    await this.page.goto(`${this.url}/console`);
    await this.page.getByLabel('User id').fill(user);
    await this.button('Sign in').click();
    await this.page.getByRole('heading', { name: 'Knowledge bases' }).waitFor();
  }

  async signOut(): Promise<void> {
    await this.page.locator('button.user').click();
    await this.button('Sign out').click();
  }

  /** Does something by the menu of a row. */
  async act(action: string | RegExp, row: Locator = this.page.getByRole('row')): Promise<void> {
    await row
      .getByRole('button', { name: /^Actions/ })
      .first()
      .click();
    await this.page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  /** @param path below /console */
  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}/console${path}`);
    await this.rendered();
  }

  /** A page of the knowledge base, by the sidebar, which a phone shows when it is asked to. */
  async openPage(name: string): Promise<void> {
    if (await this.button('Menu').isVisible()) await this.button('Menu').click();
    const pages = this.page.getByRole('navigation', { name: 'Knowledge base' });
    await pages.getByRole('link', { name, exact: true }).click();
    await this.page.locator('[aria-current=page]').getByText(name).waitFor({ state: 'attached' });
    await this.rendered();
  }

  /** Goes on with the Tab key, as somebody without a mouse, until it is there. */
  async tabTo(target: Locator): Promise<void> {
    await target.waitFor();
    const focused = target.and(this.page.locator(':focus'));
    for (let presses = 0; presses < 100; presses++) {
      if ((await focused.count()) > 0) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error('The Tab key does not lead there');
  }

  /** Until nothing is loading any more. */
  async rendered(): Promise<void> {
    await this.page.locator('h1').first().waitFor();
    await this.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  }

  async createKnowledgeBase(name: string): Promise<void> {
    await this.button('Create knowledge base').click();
    await this.page.getByLabel('Name').fill(name);
    await this.button('Create').click();
    await this.page.getByText('No documents yet').waitFor();
  }

  async upload(name: string, text: string): Promise<void> {
    const file = { name, mimeType: 'text/markdown', buffer: Buffer.from(text) };
    await this.page.locator('input[type=file]:not([webkitdirectory])').setInputFiles([file]);
    await this.page.locator('td .badge.ready').first().waitFor();
  }

  async ask(question: string): Promise<void> {
    const answers = await this.page.locator('.verdict').count();
    await this.page.getByLabel('Question').fill(question);
    await this.page.getByLabel('Question').press('Enter');
    await this.page.locator('.verdict').nth(answers).waitFor();
  }

  /** What axe finds on what is shown, which must be nothing. */
  async expectNoFaults(name: string): Promise<void> {
    // The page's policy lets no script in but its own.
    await this.page.evaluate(axe.source);
    const { violations } = await this.page.evaluate<AxeResults>('axe.run()');
    const faults = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
    );
    expect([name, faults]).toEqual([name, []]);
    await this.photograph(name);
  }

  /** Whoever looks at it finds everything on the page, and can read it. */
  async expectLegible(name: string): Promise<void> {
    const width = this.page.viewportSize()?.width;
    expect([name, await this.page.evaluate('document.documentElement.scrollWidth')]).toEqual([
      ...[name, width],
    ]);
    expect([name, await this.page.evaluate(CUT_TEXTS)]).toEqual([name, []]);
    await this.photograph(name);
  }

  private async photograph(name: string): Promise<void> {
    if (PICTURES === undefined) return;
    const path = join(PICTURES, `${name.toLowerCase().replaceAll(/\W+/g, '-')}.png`);
    await this.page.screenshot({ fullPage: true, path });
  }

  /** On a page from left to right, texts of people have the direction of their language. */
  async expectDirected(name: string): Promise<void> {
    expect([name, await this.page.evaluate(UNDIRECTED_TEXTS)]).toEqual([name, []]);
  }

  /** Everything of the page and its storage in which a secret could be left. */
  async traces(): Promise<string> {
    const traces = await this.page.evaluate<string[]>(
      '[document.documentElement.outerHTML, location.href, JSON.stringify([localStorage, sessionStorage, history.state])]',
    );
    return traces.join('\n');
  }
}

/** The console in which a new user, who has one knowledge base, has signed in. */
export async function consoleOfNewUser(browser: Browser, service: SharedService | Service) {
  const user = newUserId('alice');
  const alice = new Client(service, user);
  const kb = await alice.createKnowledgeBase('Handbook');
  // Colours of what is still fading in have too little contrast.
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const site = new ConsolePage(page, service.url);
  const complaints = complaintsOf(page);
  await site.signIn(user);
  return { alice, kb, context, page, site, complaints };
}

/** What the browser says of answers of a test that are errors; anything else it complains of stays a fault. */
export function expectRefusals(complaints: string[], status: number): void {
  const isRefusal = (text: string) => text.includes(`a status of ${status} `);
  expect(complaints.some(isRefusal)).toBe(true);
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !isRefusal(text)));
}

type OpenedConsole = Awaited<ReturnType<typeof consoleOfNewUser>> & { service: SharedService };

/**
 * For each test of a file the console of a new user, in one browser. What the page complains of fails
 * the test.
 */
export function eachInConsole(begin: (opened: OpenedConsole) => void | Promise<void>): void {
  let browser: Browser;
  let service: SharedService;
  let opened: OpenedConsole;
  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), sharedService()]);
  });
  beforeEach(async () => {
    opened = { ...(await consoleOfNewUser(browser, service)), service };
    await begin(opened);
  });
  afterEach(async () => {
    expect(opened.complaints).toEqual([]);
    await opened.context.close();
  });
  afterAll(() => browser.close());
}
