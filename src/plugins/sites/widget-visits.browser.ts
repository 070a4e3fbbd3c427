import { expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import { tool } from '../../../test/support/requirement.js';
import { eventually } from '../../../test/support/service.js';
import {
  ANSWER,
  eachVisitor,
  QUESTION,
  type Site,
  toHtml,
  type Visiting,
  type Visitor,
} from '../../../test/support/widget.js';

/** What a browser has stored for a page. */
const STORED = `[localStorage.length, sessionStorage.length, document.cookie]`;
/** As a browser's own tools simulate a slow mobile network: bytes per second, and milliseconds. */
const SLOW = { downloadThroughput: 50_000, uploadThroughput: 50_000, latency: 400, offline: false };

tool('Chromium', hasChromium).describe('a visit to the widget', () => {
  let visiting: Visiting;
  let visitor: Visitor;

  eachVisitor((...opened) => {
    [visiting, visitor] = opened;
  });

  /** Opens the chat on a page that has a link to a page like it. */
  const begin = async (more: object = {}): Promise<Site> => {
    const site = await visiting.createSite(more);
    const body = toHtml(`<nav><a href="/next">Next page</a></nav>${visiting.snippet(site)}`);
    visiting.pages.put('/next', { body });
    await visitor.page.goto(visiting.pages.put('/', { body }));
    await visitor.open();
    return site;
  };

  it('leaves no trace before the first question, and no cookie after it', async () => {
    await begin({ suggestions: [QUESTION] });
    const { page, context } = visitor;
    await visitor.panel.getByRole('button', { name: 'Close' }).click();
    await visitor.open();
    expect(await page.evaluate(STORED)).toEqual([0, 0, '']);
    await page.getByRole('button', { name: QUESTION }).click();
    await visitor.answers.first().waitFor();
    expect(await page.evaluate(STORED)).toEqual([0, 1, '']);
    expect(await context.cookies()).toEqual([]);
  });

  it('goes on where the visitor goes, until the tab is closed', async () => {
    const before = await visiting.conversations();
    await begin();
    await visitor.ask();
    await visitor.page.getByRole('link', { name: 'Next page' }).click();
    await visitor.page.waitForURL('**/next');
    // It is still open, and shows what was said.
    await visitor.panel.getByText(QUESTION).waitFor();
    expect(await visitor.ask('And within how many days?')).toContain('30 days');
    expect(await visiting.conversations()).toHaveLength(before.length + 1);
    const tab = await visitor.context.newPage();
    await tab.goto(visiting.pages.origin);
    await tab.getByRole('button', { name: 'Ask a question' }).click();
    expect(await tab.getByText(QUESTION).count()).toBe(0);
  });

  it('begins another conversation when the visitor wants to', async () => {
    const before = await visiting.conversations();
    await begin({ suggestions: ['What do you sell?'] });
    await visitor.ask();
    await visitor.page.getByRole('button', { name: 'New conversation' }).click();
    await visitor.page.getByRole('button', { name: 'What do you sell?' }).waitFor();
    expect(await visitor.page.getByText(QUESTION).count()).toBe(0);
    await visitor.ask();
    expect(await visiting.conversations()).toHaveLength(before.length + 2);
  });

  it('continues the conversation after an hour of sleep', async () => {
    const before = await visiting.conversations();
    await begin();
    const visits: string[] = [];
    visitor.page.on('request', (request) => {
      if (request.url().endsWith('/visitors')) visits.push(request.url());
    });
    await visitor.ask();
    await visitor.page.clock.install();
    await visitor.page.clock.fastForward('01:00:00');
    await visitor.ask('And within how many days?');
    expect(visits).toHaveLength(2);
    expect(await visiting.conversations()).toHaveLength(before.length + 1);
  });

  it('continues the conversation where the clock of the visitor is wrong', async () => {
    const before = await visiting.conversations();
    await begin();
    await visitor.ask();
    const json = { status: 401, code: 'client_token_expired' };
    const headers = { 'access-control-allow-origin': '*' };
    await visitor.page.route('**/chat', (route) => route.fulfill({ status: 401, headers, json }), {
      times: 1,
    });
    await visitor.ask('And within how many days?');
    expect(await visiting.conversations()).toHaveLength(before.length + 1);
  });

  it('shows on a slow network that the answer is coming', async () => {
    await begin();
    const session = await visitor.context.newCDPSession(visitor.page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', SLOW);
    await visitor.send();
    await visitor.page.locator('.dots').waitFor();
    await visitor.page.getByRole('status').getByText('The answer is being written').waitFor();
    await visitor.answers.first().waitFor();
    expect(await visitor.answers.first().innerText()).toContain(ANSWER);
  });

  it('keeps the question of a visitor who is offline', async () => {
    await begin();
    await visitor.context.setOffline(true);
    expect(await visitor.askInVain()).toMatch(/^You are offline/);
    await visitor.context.setOffline(false);
    await visitor.field.press('Enter');
    await visitor.answers.first().waitFor();
  });

  it('says when it is paused, and goes on afterwards', async () => {
    const site = await begin();
    await visitor.ask();
    await visiting.change(site, { state: 'paused' });
    expect(await visitor.askInVain()).toBe('This chat is paused. Please come back later.');
    await visitor.page.reload();
    await visitor.panel.getByText('This chat is paused. Please come back later.').waitFor();
    expect(await visitor.field.count()).toBe(0);
    await visitor.expectNoFaults('paused');
    await visiting.change(site, { state: 'active' });
    await visitor.page.reload();
    expect(await visitor.ask()).toContain(ANSWER);
  });

  it.each([
    ['all questions of the day are used up', { daily_messages: 1 }, /^This chat has answered all/],
    ['one visitor asks too fast', { per_visitor_per_minute: 1 }, /wait a minute/],
  ])('says when %s', async (_, limits, words) => {
    await begin(limits);
    await visitor.ask();
    expect(await visitor.askInVain()).toMatch(words);
    await visitor.expectNoFaults('refused');
  });

  it('opens at a question by link, which the visitor sends', async () => {
    const site = await visiting.createSite();
    const link = '<p><a href="#ask=And refunds?">Refunds?</a></p>';
    const address = visiting.pages.put('/', { body: toHtml(link + visiting.snippet(site)) });
    const { page } = visitor;
    await page.goto(`${address}?a=b#ask=How+long%3F`);
    await visitor.panel.waitFor();
    expect(await visitor.field.inputValue()).toBe('How long?');
    expect(page.url()).toBe(`${address}?a=b`);
    expect(await visitor.page.locator('.mine').count()).toBe(0);
    await page.getByRole('link', { name: 'Refunds?' }).click();
    await eventually(async () => (await visitor.field.inputValue()) === 'And refunds?');
    await page.goto(`${address}#ask=%E0%A4%A`);
    await visitor.launcher.waitFor();
  });

  it('leads to a person: by a link, or by an event that the page takes', async () => {
    const listener = `<script>addEventListener('latchkey-contact', (event) => {
      event.preventDefault(); document.title = event.detail.conversation_id;
    })</script>`;
    const { page } = visitor;
    await begin({ contact_url: 'https://shop.example.com/contact' });
    const link = page.getByRole('link', { name: 'Talk to a person' });
    expect(await link.getAttribute('href')).toBe('https://shop.example.com/contact');
    expect(await link.getAttribute('rel')).toContain('noopener');
    const body = toHtml(listener + visiting.snippet(await visiting.createSite(), 'data-contact'));
    await page.goto(visiting.pages.put('/', { body }));
    await visitor.open();
    await visitor.ask();
    await page.getByRole('button', { name: 'Talk to a person' }).click();
    expect(await page.title()).toMatch(/^conv_/);
  });

  it('keeps the rating', async () => {
    await begin();
    await visitor.ask();
    const button = visitor.page.getByRole('button', { name: 'Not helpful' });
    await button.click();
    await visitor.page.getByText('Thank you!').waitFor();
    await visitor.page.reload();
    await button.waitFor();
    expect(await button.getAttribute('aria-pressed')).toBe('true');
  });

  it('shows no markup of an answer or a source, and no link that runs a script', async () => {
    const { page } = visitor;
    await begin();
    await page.route('**/chat', (route) =>
      route.fulfill({
        headers: { 'access-control-allow-origin': '*', 'content-type': 'text/event-stream' },
        body: `event: message_end\ndata: ${JSON.stringify(HOSTILE_ANSWER)}\n\n`,
      }),
    );
    await visitor.ask();
    await page.getByText('Sources (2)').click();
    expect(await readLinks(visitor.panel.getByRole('link'))).toEqual([
      ['https://a.example.com/?q=%3Cb%3E', '_blank', 'noopener noreferrer'],
      ['https://ok.example.com/', '_blank', 'noopener noreferrer'],
    ]);
    expect(await visitor.panel.locator('img, script, iframe, b').count()).toBe(0);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});

/** The attributes that say where links lead. */
const readLinks = async (links: Locator) =>
  Promise.all(
    (await links.all()).map((link) =>
      Promise.all(['href', 'target', 'rel'].map((name) => link.getAttribute(name))),
    ),
  );

const RUN = '<img src=x onerror="window.ran = true"><script>window.ran = true</script>';
const hostileSource = (index: number, url: string) => ({
  ...{ index, document_title: RUN, heading: RUN, snippet: RUN, source_url: url, cited: true },
  locator: { chapter: RUN },
});
const HOSTILE_ANSWER = {
  ...{ answered: true, conversation_id: 'conv_1', message_id: 'msg_1' },
  answer: `${RUN} [x](javascript:window.ran=true) <b>bold</b> [1] [2] [3]\n\n[a](https://a.example.com/?q=%3Cb%3E) http:<b> data:text/html,x`,
  sources: [
    hostileSource(1, 'javascript:window.ran=true'),
    hostileSource(2, 'https://ok.example.com'),
  ],
};
