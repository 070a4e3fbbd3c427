import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { Client, type KnowledgeBase } from '../support/client.js';
import { ConsolePage } from '../support/console.js';
import { tool } from '../support/requirement.js';
import { newUserId, type SharedService, sharedService } from '../support/shared-service.js';

const ANSWER = 'Customers may return any order within 30 days.';
const ANSWERED = 'How long may customers return an order?';
const UNANSWERED = 'Who won the regatta of Sydney in 1987?';

tool('Chromium', hasChromium).describe('what the console says', () => {
  let browser: Browser;
  let page: Page;
  let service: SharedService;
  let alice: Client;
  let kb: KnowledgeBase;
  let secret: string;
  let complaints: string[];

  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), sharedService()]);
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    const user = newUserId('alice');
    alice = new Client(service, user);
    kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    secret = (await alice.createApiKey(kb.id)).api_key;
    page = await (await browser.newContext()).newPage();
    await page.clock.install();
    complaints = complaintsOf(page);
    await new ConsolePage(page, service.url).signIn(user);
  });

  const open = (path: string) => page.goto(`${service.url}/console/kbs/${kb.id}/${path}`);
  const ask = (question: string) => alice.chat(secret, question);
  const leaveFor = async (milliseconds: number) => {
    const show = (state: string) =>
      page.evaluate(
        `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
         document.dispatchEvent(new Event('visibilitychange'))`,
      );
    await show('hidden');
    await page.clock.fastForward(milliseconds);
    await show('visible');
  };

  it('is not that all is well where many questions are not answered', async () => {
    for (const question of [ANSWERED, ANSWERED, ANSWERED, UNANSWERED, UNANSWERED]) {
      await ask(question);
    }
    await open('overview');
    await page.getByText('40% of the questions were not answered').waitFor();
    expect(await page.getByText('All is well.').count()).toBe(0);
    await page.getByRole('link', { name: 'See gaps' }).click();
    await page.getByRole('link', { name: UNANSWERED }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is new again when somebody comes back to the page', async () => {
    await ask(ANSWERED);
    await open('overview');
    const questions = page.locator('dl.totals div', { hasText: 'Questions' }).getByRole('link');
    await questions.filter({ hasText: /^1$/ }).waitFor();
    await ask(ANSWERED);
    await leaveFor(60_000);
    await questions.filter({ hasText: /^2$/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('is that an address leads nowhere, with a way back', async () => {
    await open('nowhere');
    await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
    expect(await page.title()).toContain('Not found');
    await page.locator('main').getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.goto(`${service.url}/console/nowhere`);
    await page.getByRole('heading', { name: 'Not found', level: 1 }).waitFor();
    expect(complaints).toEqual([]);
  });
});
