import { expect, it } from '@jest/globals';
import type { Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import { Client, type KnowledgeBase } from '../../../test/support/client.js';
import { type ConsolePage, eachInConsole } from '../../../test/support/console.js';
import { tool } from '../../../test/support/requirement.js';
import type { SharedService } from '../../../test/support/shared-service.js';
import { databaseTime, sql } from '../../../test/support/sql.js';

const QUESTION = 'When does the museum open?';

tool('Chromium', hasChromium).describe('documents in time, in the console', () => {
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let service: SharedService;
  let kb: KnowledgeBase;
  let complaints: string[];

  eachInConsole(async (opened) => {
    ({ alice, kb, page, site, service, complaints } = opened);
    await page.emulateMedia({ colorScheme: 'light' });
  });

  const expectNoFaults = async (name: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await site.expectNoFaults(`${name} ${colorScheme}`);
    }
  };

  it('say how old they are, until when they are valid, and which old ones answers rest on', async () => {
    const text = 'The museum opens at nine.';
    const old = await alice.addDocument(kb.id, { title: 'Museum', text });
    const { api_key: key } = await alice.createApiKey(kb.id);
    await new Client(service).chat(key, QUESTION);
    const long = databaseTime(-430 * 86_400_000);
    await sql(
      service.environment,
      `UPDATE documents SET created_at = ${long}, updated_at = ${long} WHERE id = '${old.id}'`,
    );
    await site.open(`/kbs/${kb.id}/playground?question=${encodeURIComponent(QUESTION)}`);
    await site.button('Ask').click();
    await page.getByText('updated 14 months ago').first().waitFor();
    await expectNoFaults('age of a source');

    await site.open(`/kbs/${kb.id}/analytics`);
    const rows = page.getByRole('table', { name: 'Old documents' });
    await rows.getByRole('link', { name: 'Museum' }).waitFor();
    await expectNoFaults('old documents');
    await page.getByLabel('Not updated for').selectOption('730');
    await page.getByText('No answer of this time rests on a document that old').waitFor();

    await site.open(`/kbs/${kb.id}/documents/${old.id}`);
    await site.button('Change…').click();
    await page.getByLabel('Valid until').fill('2031-05-01T12:00');
    await site.button('Save').click();
    await page.getByText(/Valid until .*2031/).waitFor();
    const newer = { title: 'Museum 2026', text: 'The museum opens at ten.', supersedes: old.id };
    const { id } = await alice.addDocument(kb.id, newer);
    await site.open(`/kbs/${kb.id}/documents/${old.id}`);
    await page.getByText('Superseded by').waitFor();
    await expectNoFaults('validity of a document');
    await page.getByRole('link', { name: 'a newer document' }).click();
    await page.getByText('Takes the place of').waitFor();
    await site.open(`/kbs/${kb.id}/documents`);
    await page.getByText('Takes the place of').waitFor();
    await expectNoFaults('documents with validity');

    await site.open(`/kbs/${kb.id}/documents/${id}`);
    await site.button('Change…').click();
    await page.getByLabel('Valid from').fill('2031-05-01T12:00');
    await page.getByLabel('Valid until').fill('2030-05-01T12:00');
    await site.button('Save').click();
    await page.getByText('valid_until must be later than valid_from').first().waitFor();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('400')]);
    await expectNoFaults('validity refused');
    await page.getByLabel('Valid until').fill('');
    await page.getByLabel('Takes the place of').fill('');
    await site.button('Save').click();
    await page.getByText(/Valid from .*2031/).waitFor();
    const { body } = await alice.get<{ valid_from: string; supersedes: string | null }>(
      `/documents/${id}`,
    );
    expect([Date.parse(body.valid_from) > Date.now(), body.supersedes]).toEqual([true, null]);
  });
});
