import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, CDPSession, Page as BrowserPage } from 'playwright-core';
import { hasChromium, openBrowser } from '../support/browser.js';
import type { Client, Document, KnowledgeBase, Page } from '../support/client.js';
import { ConsolePage, consoleOfNewUser } from '../support/console.js';
import { type Upload, uploadFile } from '../support/files.js';
import { epub, odt } from '../support/office-files.js';
import { PATIENCE_MS } from '../support/recognition.js';
import { tool } from '../support/requirement.js';
import { scan } from '../support/scans.js';
import { eventually } from '../support/service.js';
import { sharedService } from '../support/shared-service.js';

const chromium = tool('Chromium', hasChromium);

/** A file that a real program has written. */
const real = (name: string) =>
  readFileSync(new URL(`../../packages/extraction/test/files/${name}`, import.meta.url));

/** Lines before and after the passage, so many that it is far down. */
const around = (passage: string, line: (text: string) => string, between = '\n') => {
  const filling = Array.from({ length: 80 }, (_, n) => line(`Nothing is written in place ${n}.`));
  return [...filling, line(passage), ...filling].join(between);
};
const html = (text: string) => `<p>${text}</p>`;
const json = (text: string) => JSON.stringify({ note: text });
const scanned = async () =>
  (await scan(['The gannets dive from forty metres.'])).webp({ lossless: true }).toBuffer();

/** The file, a question that its passage answers, and what is marked. */
const FILES: [name: string, bytes: () => Upload['bytes'] | Promise<Buffer>, string, string][] = [
  [
    'Burrows.odt',
    () => odt(around('Badgers dig for eleven nights.', (text) => `<text:p>${text}</text:p>`)),
    'How long do badgers dig?',
    'Badgers dig for eleven nights',
  ],
  ['Lamps.ods', () => real('stock.ods'), 'What does the lamp in Lamps cost?', '12.5'],
  ['Slides.odp', () => real('returns.odp'), 'Slides: how many days to Iceland?', 'Iceland'],
  ['Letters.rtf', () => real('returns.rtf'), 'Letters: who packs and sends it?', 'Pack it.'],
  [
    'Storms.epub',
    () =>
      epub([
        { title: 'Calm', body: html('Nobody sailed.') },
        { title: 'Storm', body: around('The mast broke at Cape Wrath.', html) },
      ]),
    'Where did the mast break?',
    'The mast broke at Cape Wrath',
  ],
  [
    'Lynxes.html',
    () => `<html><body><main>${around('Lynxes hear a mouse at fifty paces.', html)}</main></body>`,
    'How far off do lynxes hear a mouse?',
    'Lynxes hear a mouse at fifty paces',
  ],
  [
    'Beavers.md',
    () => `# Dams\n\n${around('Beavers **rebuild** within a week.', String, '\n\n')}`,
    'How soon do beavers rebuild?',
    'Beavers rebuild within a week',
  ],
  ['Notes.ipynb', () => real('notebook.ipynb'), 'Notes: what does def days return?', 'def days(n)'],
  [
    'Herons.json',
    () => `[${around('Herons stand on one leg.', json, ',')}]`,
    'On how many legs do herons stand?',
    'Herons stand on one leg',
  ],
  [
    'Storks.xml',
    () => `<notes>${around('Storks winter in Chad.', (text) => `<note>${text}</note>`)}</notes>`,
    'Where do storks winter?',
    'Storks winter in Chad',
  ],
  [
    'Talk.vtt',
    () =>
      `WEBVTT\n\n${around('Cranes dance in March.', (text) => `01:00.000 --> 01:09.000\n<v Jane>${text}\n`)}`,
    'When do cranes dance?',
    'Cranes dance in March',
  ],
  [
    'Wages.csv',
    () => `Bird;Wage\n${around('Puffin', (text) => `${text};77`)}`,
    'What is the wage of the puffin?',
    'Puffin',
  ],
  ['Gannets.webp', scanned, 'From where do gannets dive?', ''],
  [
    'Complaint.msg',
    () => real('lamp.msg'),
    'Complaint: please send another to Zürich',
    'Please send another to Zürich',
  ],
  ['Parcels.nxml', () => real('jats.xml'), 'Parcels: how do they come back?', 'come back'],
  [
    'Kiln.tex',
    () => real('kiln.tex'),
    'At what does the kiln hold green ware?',
    'of the “green” ware',
  ],
  ['Manual.rst', () => real('workshop.rst'), 'Manual: when is the lathe due?', 'Lathe'],
];

chromium.describe('a citation of a further format in the console', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: BrowserPage;
  let devTools: CDPSession;
  let site: ConsolePage;
  let complaints: string[];
  let alice: Client;
  let kb: KnowledgeBase;

  beforeAll(async () => {
    browser = await openBrowser();
    ({ alice, kb, context, page, site, complaints } = await consoleOfNewUser(
      browser,
      await sharedService(),
    ));
    devTools = await context.newCDPSession(page);
    for (const [name, bytes] of FILES) {
      expect((await uploadFile(alice, kb.id, { name, bytes: await bytes() })).status).toBe(202);
    }
    await eventually(async () => {
      const { body } = await alice.get<Page<Document>>(`/kbs/${kb.id}/documents?limit=100`);
      return body.data.every(({ status }) => status === 'ready');
    }, PATIENCE_MS);
  }, 400_000);
  afterAll(async () => {
    await context.close();
    await browser.close();
  });

  const slowDown = (rate: number) => devTools.send('Emulation.setCPUThrottlingRate', { rate });

  it.each(FILES)('opens at the place: %s', async (name, _, question, marked) => {
    await site.open(`/kbs/${kb.id}/playground`);
    await site.ask(question);
    // The frame then loads before it has its size.
    await slowDown(12);
    await site.button('Show in the document').first().click();
    await site.rendered();
    const title = `“${name}”, with the passage marked`;
    await page
      .getByRole('dialog', { name })
      .locator(`[alt*='${title}'], [title*='${title}']`)
      .waitFor();
    if (marked !== '') {
      const marks = page.frameLocator('dialog iframe').locator('mark');
      await marks.filter({ hasText: marked }).first().waitFor();
      // The passage begins with what was scrolled to.
      await eventually(async () => {
        const frame = page.frames().at(-1);
        const at = await frame?.evaluate<number>(
          `document.querySelector('mark').getBoundingClientRect().top / innerHeight`,
        );
        return at !== undefined && at >= 0 && at < 1;
      });
    }
    await slowDown(1);
    expect(complaints).toEqual([]);
  });
});
