import { expect, it } from '@jest/globals';
import type { Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import type { Client, IssuedApiKey, KnowledgeBase } from '../../../test/support/client.js';
import { type ConsolePage, eachInConsole } from '../../../test/support/console.js';
import { tool } from '../../../test/support/requirement.js';

tool('Chromium', hasChromium).describe('rotation by the holder of a key, in the console', () => {
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let kb: KnowledgeBase;
  let key: IssuedApiKey;

  eachInConsole(async (opened) => {
    ({ alice, kb, page, site } = opened);
    key = await alice.createApiKey(kb.id, { name: 'Web shop' });
  });

  const selfRotation = async () =>
    (await alice.get<{ self_rotation: object | null }>(`/api-keys/${key.id}`)).body.self_rotation;

  it('is allowed and forbidden in the form that changes the key', async () => {
    const said = page.getByText('Its holder may rotate it with the key itself');
    const choose = async (value: string) => {
      await site.button('Change…').click();
      await page.getByLabel('May the holder rotate it?').selectOption(value);
      await site.expectNoFaults(`self rotation ${value}`);
      await site.button('Save').click();
    };
    await site.open(`/kbs/${kb.id}/keys?key=${key.id}`);
    await choose('3600');
    await said.waitFor();
    expect(await selfRotation()).toEqual({ grace_seconds: 3600 });
    await choose('');
    await said.waitFor({ state: 'detached' });
    expect(await selfRotation()).toBeNull();
  });
});
