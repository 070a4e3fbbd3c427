import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import playwright from 'playwright-core';
import { median, report, round, startService } from './support.mjs';

const ROUNDS = 3;
const MAX_SECONDS = 1;
const ANSWER = 'Customers may return any order within 30 days of delivery.';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {(page: Page) => Promise<void>} Use until something can be used, or is done */

/**
 * How soon the console, Swagger UI and the guide can be used in a browser that has nothing of them yet, and
 * how long the shortest ways to an answer take.
 */
export default async function pages() {
  const [before = 0] = loadavg();
  const service = await startService();
  const browser = await playwright.chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  const { id: kbId } = await service.call('POST', '/kbs', { name: 'Handbook' });
  await service.call('POST', `/kbs/${kbId}/documents`, { title: 'Returns', text: ANSWER });
  /**
   * Medians over the rounds, each in a browser context of its own.
   *
   * @param {string} path
   * @param {Use} use
   * @param {Use} prepare what is not measured
   */
  const measure = async (path, use, prepare = () => Promise.resolve()) => {
    const seconds = [];
    const processor = [];
    // The first compresses the files, once in the life of the service.
    for (let turn = 0; turn <= ROUNDS; turn++) {
      const context = await browser.newContext();
      await context.addInitScript(`localStorage.setItem('latchkey-user', 'bench')`);
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send('Performance.enable');
      const busy = async () => {
        const { metrics } = await session.send('Performance.getMetrics');
        return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
      };
      await prepare(page);
      const busyBefore = await busy();
      const began = performance.now();
      if (path !== '') await page.goto(service.url + path, { waitUntil: 'commit' });
      await use(page);
      if (turn > 0) {
        seconds.push((performance.now() - began) / 1000);
        processor.push((await busy()) - busyBefore);
      }
      await context.close();
    }
    return { seconds: median(seconds), processor: median(processor) };
  };
  try {
    const floor = await measure('/health/live', (page) => seen(page, 'pre'));
    /** @type {[string, string, Use, Use?][]} */
    const opened = [
      ['Guide', '/docs/guide/', (page) => seen(page, 'h1')],
      ['Swagger UI', '/docs', (page) => page.locator('.opblock-summary-control').first().click()],
      [
        'Swagger UI, an operation opened in it',
        '',
        async (page) => {
          await page.locator('.opblock-summary-control').first().click();
          await seen(page, '.opblock-body .execute');
        },
        async (page) => {
          await page.goto(`${service.url}/docs`);
          await seen(page, '.opblock-summary-control');
        },
      ],
      ['Console', '/console', newKnowledgeBase],
      ['Console, a knowledge base', `/console/kbs/${kbId}`, (page) => seen(page, 'h1')],
      ['Console, its keys', `/console/kbs/${kbId}/keys`, newKey],
    ];
    const rows = [];
    for (const [name, path, use, prepare] of opened) {
      const { seconds, processor } = await measure(path, use, prepare);
      rows.push({
        page: name,
        s: round(seconds),
        'of the floor': round(seconds / floor.seconds, 1),
        "s of the page's thread": round(processor),
        verdict: seconds <= MAX_SECONDS ? 'met' : 'missed',
      });
    }
    /** @type {[string, string, Use, Use?][]} */
    const walked = [
      [
        'Console: new key, first answer',
        '',
        firstAnswer,
        async (page) => {
          await page.goto(`${service.url}/console/kbs/${kbId}/keys`);
          await seen(page, 'button.primary');
        },
      ],
      ['Swagger UI: from /docs through its five steps', '/docs', fiveSteps],
    ];
    const walks = [];
    for (const [walk, path, use, prepare] of walked) {
      const { seconds } = await measure(path, use, prepare);
      walks.push({ walk, s: round(seconds), 'of the floor': round(seconds / floor.seconds, 1) });
    }
    report('pages', {
      notes: [
        `medians of ${ROUNDS}, each in a browser without a cache, until what is named can be pressed or is seen; aim ${MAX_SECONDS} s`,
        `the floor is the answer of /health/live, opened the same way: ${round(floor.seconds, 3)} s`,
        'walks as fast as a program presses',
        `load of the machine before and after: ${round(before, 1)}, ${round(loadavg()[0] ?? 0, 1)}`,
      ],
      tables: { 'Until it can be used': rows, Walks: walks },
    });
  } finally {
    await browser.close();
    await service.stop();
  }
}

/** @param {Page} page @param {string} selector */
const seen = (page, selector) => page.locator(selector).first().waitFor();

/** @type {Use} */
async function newKnowledgeBase(page) {
  await page.getByRole('button', { name: 'Create knowledge base' }).click();
  await page.getByRole('dialog').waitFor();
}

/** @type {Use} */
async function newKey(page) {
  await page.getByRole('button', { name: 'Create API key' }).first().click();
  await page.getByRole('dialog').waitFor();
}

/** @type {Use} */
async function firstAnswer(page) {
  await newKey(page);
  await page.getByLabel('Name', { exact: true }).fill('Web shop');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const connect = page.getByRole('region', { name: 'Connect your app' });
  await connect.getByLabel('Question').fill('How long may customers return an order?');
  await connect.getByRole('button', { name: 'Send' }).click();
  await connect.getByText(ANSWER).waitFor();
}

/** @type {Use} */
async function fiveSteps(page) {
  /** @param {string} name */
  const step = (name) => page.locator('.info a', { hasText: name }).click();
  /** @param {string} id of the operation, which is sent as it is filled in */
  const execute = async (id) => {
    const operation = page.locator(`.opblock[id$="-${id}"]`);
    await operation.getByRole('button', { name: 'Execute' }).click();
    await operation.locator('.live-responses-table tbody .response').first().waitFor();
  };
  await step('Authorize');
  const form = page.locator('.dialog-ux form').filter({ has: page.locator('#api_key_value') });
  await form.locator('#api_key_value').fill('bench');
  await form.getByRole('button', { name: 'Apply credentials' }).click();
  await page.locator('.dialog-ux').getByRole('button', { name: 'Close' }).first().click();
  for (const [name, id] of [
    ['Create a knowledge base', 'createKnowledgeBase'],
    ['Add a document', 'createDocument'],
    ['Create an API key', 'createApiKey'],
    ['Ask a question', 'chat'],
  ]) {
    await step(name ?? '');
    await execute(id ?? '');
  }
}
