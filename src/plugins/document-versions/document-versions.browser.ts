import { expect, it } from '@jest/globals';
import type { Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import { Client, type KnowledgeBase } from '../../../test/support/client.js';
import { type ConsolePage, eachInConsole } from '../../../test/support/console.js';
import { tool } from '../../../test/support/requirement.js';

const text = (rate: number) =>
  `# Rates\n\nThe monthly rate is ${rate} euros for members.\n\n# Terms\n\nContracts end in June.`;

tool('Chromium', hasChromium).describe('the versions of a document, in the console', () => {
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let partner: Client;
  let kb: KnowledgeBase;
  let complaints: string[];
  let documentId: string;

  eachInConsole(async (opened) => {
    ({ alice, complaints, kb, page, site } = opened);
    partner = new Client(opened.service);
    await alice.set(kb.id, { version_retention_days: 30, chunk_size: 20, chunk_overlap: 0 });
    documentId = await put(90);
  });

  const put = async (rate: number) => {
    const more = { external_id: 'rates', on_duplicate: 'replace', mime_type: 'text/markdown' };
    return (await alice.addDocument(kb.id, { title: 'Rates', text: text(rate), ...more })).id;
  };

  it('are listed, compared word by word, and restored', async () => {
    await put(95);
    await site.open(`/kbs/${kb.id}/documents/${documentId}`);
    await page.getByRole('heading', { name: '1 former version' }).waitFor();
    await site.expectNoFaults('a document with a former version');
    await page.getByRole('link', { name: 'Compare version 1' }).click();
    await page.getByText('1 passage changed').waitFor();
    expect(await page.locator('.diff del').allTextContents()).toEqual(['90']);
    expect(await page.locator('.diff ins').allTextContents()).toEqual(['95']);
    await site.expectNoFaults('two versions side by side');
    await page.getByRole('link', { name: 'The document' }).click();
    await page.getByRole('link', { name: 'Version 1', exact: true }).click();
    await page.getByText('The monthly rate is 90 euros').waitFor();
    await site.expectNoFaults('a former version');
    await site.button('Restore…').click();
    await site.button('Restore version 1').click();
    await page.getByText('2 former versions').waitFor();
    await page.getByText('The monthly rate is 90 euros').waitFor();
  });

  it('are opened from a source of an earlier answer, at the passage that it cites', async () => {
    const { api_key: key } = await alice.createApiKey(kb.id);
    const { body } = await partner.chat(key, 'What is the monthly rate?');
    await put(95);
    await site.open(`/kbs/${kb.id}/conversations/${body.conversation_id}`);
    await page.getByText(/^\d+ sources?$/).click();
    await page.getByRole('link', { name: 'Version 1', exact: true }).first().click();
    const cited = page.locator('.passages .target');
    await cited.waitFor();
    expect(await cited.textContent()).toContain('The monthly rate is 90 euros');
    await alice.set(kb.id, { version_retention_days: 0 });
    await site.open(`/kbs/${kb.id}/documents/${documentId}/versions/7`);
    await page.getByText('This version is not kept any more').waitFor();
    complaints.length = 0;
  });
});
