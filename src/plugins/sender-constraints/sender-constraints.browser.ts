import { expect, it } from '@jest/globals';
import type { Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import type { Client, IssuedApiKey, KnowledgeBase } from '../../../test/support/client.js';
import { type ConsolePage, eachInConsole } from '../../../test/support/console.js';
import { ProvingKey } from '../../../test/support/proving-key.js';
import { tool } from '../../../test/support/requirement.js';

tool('Chromium', hasChromium).describe('keys that are bound to a pair, in the console', () => {
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  eachInConsole(async (opened) => {
    ({ alice, kb, page, site } = opened);
    key = await alice.createApiKey(kb.id, { name: 'Web shop' });
  });

  it('are bound and let go in the form that changes the key', async () => {
    const { jkt, constraint } = await ProvingKey.create();
    const said = page.getByText('which each request has to prove');
    const bind = async (thumbprint: string) => {
      await page.getByLabel('Bound to a key pair').fill(thumbprint);
      await site.button('Save').click();
    };
    const read = async () =>
      (await alice.get<{ sender_constraint: object | null }>(`/api-keys/${key.id}`)).body;
    await site.open(`/kbs/${kb.id}/keys?key=${key.id}`);
    await site.button('Change…').click();
    await bind(jkt);
    await said.waitFor();
    await site.expectNoFaults('a key that is bound');
    expect(await read()).toMatchObject(constraint);
    await site.button('Change…').click();
    await bind('');
    await said.waitFor({ state: 'detached' });
    expect(await read()).toMatchObject({ sender_constraint: null });
  });
});
