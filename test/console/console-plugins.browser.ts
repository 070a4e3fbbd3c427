import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { Client } from '../support/client.js';
import { ConsolePage } from '../support/console.js';
import { tool } from '../support/requirement.js';
import { Service } from '../support/service.js';

tool('Chromium', hasChromium).describe('the console of a service without plugins', () => {
  let browser: Browser;
  let service: Service;

  beforeAll(async () => {
    [browser, service] = await Promise.all([openBrowser(), Service.start({ PLUGINS: 'none' })]);
  });
  afterAll(async () => {
    await browser.close();
    await service.stop();
  });

  it('has the pages of the core alone, and asks for nothing else', async () => {
    const alice = new Client(service, 'alice');
    const kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, { title: 'Returns', text: 'Orders may be returned.' });
    const key = await alice.createApiKey(kb.id);
    const page = await (await browser.newContext()).newPage();
    const complaints = complaintsOf(page);
    const site = new ConsolePage(page, service.url);
    await site.signIn('alice');
    await page.goto(`${service.url}/console/kbs/${kb.id}/overview`);
    await page.getByText('All is well.').waitFor();
    const labels = await page
      .getByRole('navigation', { name: 'Knowledge base' })
      .getByRole('link')
      .allTextContents();
    expect(labels.map((label) => label.trim())).toEqual([
      ...['Overview', 'Documents', 'Playground', 'Conversations', 'API keys'],
      ...['Members', 'Access', 'Audit', 'Settings'],
    ]);
    for (const label of ['Documents', 'API keys', 'Settings']) {
      await page.getByRole('link', { name: label, exact: true }).first().click();
      await page.getByRole('heading', { name: label, level: 1 }).waitFor();
    }
    await page.goto(`${service.url}/console/kbs/${kb.id}/keys?key=${key.id}`);
    await page.getByRole('region', { name: 'Connect your app' }).waitFor();
    expect(await page.getByRole('region', { name: 'Connected agents' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
