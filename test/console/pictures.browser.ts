import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasChromium, openBrowser } from '../support/browser.js';
import { Client } from '../support/client.js';
import { ANSWER, ConsolePage, QUESTION } from '../support/console.js';
import { tool } from '../support/requirement.js';
import { Service } from '../support/service.js';

const USER = 'alice';
/** Where the pictures of the README stand, when they are to be renewed. */
const FOLDER = process.env['LATCHKEY_PICTURES'] ?? mkdtempSync(join(tmpdir(), 'pictures-'));
const KEYS = ['Shop backend', 'Order form', 'Nightly checks'];

/** The README's pictures are of what this walk shows: where it cannot be walked, they are out of date. */
tool('Chromium', hasChromium).describe('the pictures of the README', () => {
  let service: Service;
  let browser: Browser;
  let site: ConsolePage;
  let kbId: string;

  beforeAll(async () => {
    [service, browser] = await Promise.all([Service.start(), openBrowser()]);
    const alice = new Client(service, USER);
    const kb = await alice.createKnowledgeBase('Shop handbook');
    kbId = kb.id;
    await alice.addDocument(kbId, {
      title: 'Returns policy',
      text: `# Returns\n\n${ANSWER} Refunds are paid within five working days.`,
      mime_type: 'text/markdown',
    });
    for (const name of KEYS) {
      const { api_key } = await alice.createApiKey(kbId, { name });
      expect((await new Client(service).query(api_key, QUESTION)).status).toBe(200);
    }
    const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
    page.setDefaultTimeout(60_000);
    site = new ConsolePage(page, service.url);
    await site.signIn(USER);
  });

  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  const take = async (name: string) => {
    await site.rendered();
    await site.page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' });
  };

  it('has a question, its answer and what it is quoted from', async () => {
    await site.open(`/kbs/${kbId}/playground`);
    await site.ask(QUESTION);
    await site.page.getByText(ANSWER).first().waitFor();
    await take('playground');
  });

  it('has the API keys of a knowledge base', async () => {
    await site.open(`/kbs/${kbId}/keys`);
    for (const name of KEYS) await site.page.getByText(name).first().waitFor();
    await take('api-keys');
  });
});
