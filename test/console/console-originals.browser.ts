import { expect, it } from '@jest/globals';
import type { BrowserContext, Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../support/browser.js';
import { Client, type Document, type KnowledgeBase } from '../support/client.js';
import { ConsolePage, eachInConsole } from '../support/console.js';
import { docx, documentXml, paragraph, type Upload, uploadFile } from '../support/files.js';
import { pptx, shape, sheetData, xlsx } from '../support/office-files.js';
import { pageOf, pdf } from '../support/pdf.mjs';
import { PATIENCE_MS } from '../support/recognition.js';
import { tool } from '../support/requirement.js';
import { scan } from '../support/scans.js';
import { eventually } from '../support/service.js';

const chromium = tool('Chromium', hasChromium);
const OTHER = 'Nothing of interest is written on this one.';
const PENGUINS = 'Penguins may return any fish within thirty days.';
const WALRUSES = 'Walruses keep their parcels for nine weeks.';
const OTTERS = 'Otters pay for shells in advance.';
const SEALS = 'Seals are insured against polar bears.';
const TERNS = 'Terns fly from pole to pole each year.';

const mail = [
  'From: Jane <jane@example.com>\nTo: shop@example.com\nSubject: The terns',
  `MIME-Version: 1.0\nContent-Type: text/plain\n\nDear shop,\n\n${TERNS}\n\nYours, Jane\n`,
].join('\n');
const slide = (title: string, text: string) => ({
  shapes: shape('title', [title]) + shape('body', [text]),
});
const rows = Array.from({ length: 500 }, (_, n) => [`Article ${n}`, n]);
rows[400] = ['Narwhal horn', 1234];

chromium.describe('a citation in the console', () => {
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let kb: KnowledgeBase;

  eachInConsole((opened) => {
    ({ alice, kb, context, page, site } = opened);
  });

  const add = async (file: Upload) => {
    const { id } = (await uploadFile(alice, kb.id, file)).body as Document;
    await eventually(async () => {
      return (await alice.get<Document>(`/documents/${id}`)).body.status === 'ready';
    }, PATIENCE_MS);
    return id;
  };
  const dialog = (name: string) => page.getByRole('dialog', { name });
  /** Asks, and opens the first source. */
  const openSource = async (question: string) => {
    await site.open(`/kbs/${kb.id}/playground`);
    await site.ask(question);
    await site.button('Show in the document').first().click();
    await site.rendered();
  };
  const inFrame = () => page.frameLocator('dialog iframe');
  /** Where the first mark is in the frame, as a share of its height. */
  const markAt = () =>
    page
      .frames()
      .at(-1)
      ?.evaluate<number>(
        `document.querySelector('mark').getBoundingClientRect().bottom / innerHeight`,
      );

  it('opens a PDF at the page and the passage, from which one leafs through it', async () => {
    const pages = [
      pageOf([OTHER]),
      pageOf([...Array.from({ length: 40 }, () => ''), PENGUINS]),
      pageOf(['The end.']),
    ];
    await add({ name: 'penguins.pdf', bytes: pdf(pages) });
    await openSource('How long may penguins return fish?');
    const shown = dialog('penguins.pdf');
    const second = 'Page 2 of 3 of “penguins.pdf”, with the passage marked';
    await shown.getByRole('img', { name: second }).waitFor();
    // The passage is in the lower part of the page, to which it was scrolled.
    await eventually(
      async () =>
        (await page.evaluate<number>(`document.querySelector('.picture').scrollTop`)) > 100,
    );
    const aside = shown.getByRole('complementary', { name: 'The passage and its neighbours' });
    expect(await aside.locator('mark').innerText()).toContain('Penguins may return any fish');
    expect(await aside.innerText()).toContain(OTHER);
    await site.expectNoFaults('original');
    await site.button('Next page').click();
    await shown.getByRole('img', { name: 'Page 3 of 3 of “penguins.pdf”' }).waitFor();
    expect(await site.button('Next page').isDisabled()).toBe(true);
    await site.button('Previous page').press('Enter');
    await shown.getByRole('img', { name: second }).waitFor();
    expect(await page.evaluate<number>(`document.querySelector('dialog img').naturalHeight`)).toBe(
      1600,
    );
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      site.button('Open the original').click(),
    ]);
    await opened.close();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    const focused = page.locator(':focus');
    expect(await focused.innerText()).toBe('Show in the document');
  });

  it('opens a scan at the recognised words', async () => {
    await add({ name: 'scan.png', bytes: await (await scan([WALRUSES])).png().toBuffer() });
    await openSource('How long do walruses keep parcels?');
    await dialog('scan.png')
      .getByRole('img', { name: /“scan\.png”, with the passage marked/ })
      .waitFor();
  }, 400_000);

  it.each<[string, () => Upload, string, string]>([
    [
      'a Word document',
      () => {
        const filling = Array.from({ length: 60 }, (_, n) => paragraph(`${OTHER} ${n}`));
        const body = [paragraph('Animals', 'Heading1'), ...filling, paragraph(OTTERS), ...filling];
        return { name: 'otters.docx', bytes: docx(documentXml(body.join(''))) };
      },
      'How do otters pay for shells?',
      OTTERS,
    ],
    [
      'a sheet',
      () => ({
        name: 'prices.xlsx',
        bytes: xlsx([
          { name: 'Notes', data: sheetData([['Note'], [OTHER]]) },
          { name: 'Prices', data: sheetData([['Article', 'Price'], ...rows]) },
        ]),
      }),
      'What is the price of a narwhal horn?',
      'Narwhal horn',
    ],
    [
      'a slide',
      () => ({ name: 'seals.pptx', bytes: pptx([slide('First', OTHER), slide('Seals', SEALS)]) }),
      'Against what are seals insured?',
      SEALS,
    ],
    ['a mail', () => ({ name: 'terns.eml', bytes: mail }), 'Where do terns fly?', TERNS],
  ])('opens %s at the passage', async (_, file, question, text) => {
    const { name, bytes } = file();
    await add({ name, bytes });
    await openSource(question);
    const mark = inFrame().locator('mark', { hasText: text.replace(/\.$/, '') });
    await mark.first().waitFor();
    // Where it was scrolled to, if it was far down.
    await eventually(async () => Math.abs(((await markAt()) ?? 9) - 0.5) < 0.5);
    await site.expectNoFaults(name);
    const frame = page.locator('dialog iframe');
    expect(await frame.getAttribute('sandbox')).toBe('');
    expect(await frame.getAttribute('title')).toContain('with the passage marked');
  });

  it('opens an answer of a conversation, on a phone and in the dark', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    const slides = [slide('First', OTHER), slide('Seals', SEALS)];
    await add({ name: 'seals.pptx', bytes: pptx(slides) });
    const { api_key } = await alice.createApiKey(kb.id);
    const { conversation_id } = (await alice.chat(api_key, 'Against what are seals insured?')).body;
    await site.open(`/kbs/${kb.id}/conversations/${conversation_id}`);
    await page.locator('.messages summary').click();
    await site.button('Show in the document').first().click();
    await inFrame().locator('mark').first().waitFor();
    await site.expectNoFaults('phone');
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBe(390);
    await site.button('Previous slide').click();
    await inFrame().getByText(OTHER).waitFor();
    await page.getByText('Slide 1 of 2', { exact: true }).waitFor();
  });
});
