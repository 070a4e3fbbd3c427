import { expect, it } from '@jest/globals';
import type { Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../../../test/support/browser.js';
import { Client, type KnowledgeBase, type Page } from '../../../test/support/client.js';
import { ConsolePage, eachInConsole, expectRefusals } from '../../../test/support/console.js';
import { tool } from '../../../test/support/requirement.js';
import { newUserId } from '../../../test/support/shared-service.js';

const chromium = tool('Chromium', hasChromium);

chromium.describe('a colleague is invited', () => {
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let kb: KnowledgeBase;
  let complaints: string[];

  eachInConsole((opened) => {
    ({ alice, kb, page, site, complaints } = opened);
  });

  const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
  const invite = async (role: string) => {
    await site.open(`/kbs/${kb.id}/members`);
    await site.button('Invite by a link').click();
    await page.getByLabel('Role', { exact: true }).selectOption(role);
    await site.expectNoFaults('invite by a link');
    await site.button('Create link').click();
    const link = await dialog('The link of the invitation').locator('.secret').innerText();
    await site.expectNoFaults('the link of an invitation');
    await site.button('I have stored it').click();
    return link;
  };
  const openAs = async (user: string, link: string) => {
    await site.signOut();
    await page.getByLabel('User id').waitFor();
    await page.goto(link);
    await page.getByLabel('User id').fill(user);
    await site.button('Sign in').click();
  };

  it('by a link: signs in, sees what it opens, and is a member', async () => {
    const bob = newUserId('bob');
    const link = await invite('viewer');
    expect(await site.traces()).not.toContain(link.split('#')[1]);
    await page.getByRole('row', { name: 'viewer open 0 of 1' }).waitFor();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await openAs(bob, link);
    await page.getByRole('heading', { name: 'Handbook' }).waitFor();
    await page.getByText('invites you to this knowledge base').waitFor();
    await site.expectNoFaults('an invitation');
    await site.expectLegible('an invitation');
    await site.button('Accept the invitation').click();
    await page.getByText('You are viewer now.').waitFor();
    await page.waitForURL(`**/kbs/${kb.id}/overview`);
    expect(requested.filter((url) => url.includes(link.split('#')[1] ?? '-'))).toEqual([]);
    const { body } = await alice.get<Page<{ user_id: string; role: string }>>(
      `/kbs/${kb.id}/members`,
    );
    expect(body.data.find(({ user_id }) => user_id === bob)?.role).toBe('viewer');

    // The link opens nothing for the next one.
    await openAs(newUserId('carol'), link);
    await page.getByText('It was accepted before, by as many people as it was for.').waitFor();
    await page.getByText('Ask whoever sent it for a new link.').waitFor();
    await site.expectNoFaults('an invitation that was used');
    expectRefusals(complaints, 410);
  });

  it('withdraws a link', async () => {
    const link = await invite('member');
    await site.act('Withdraw', page.getByRole('row', { name: 'member open' }));
    await page.getByText('The invitation is withdrawn.').waitFor();
    await page.getByRole('row', { name: 'member withdrawn' }).waitFor();
    await openAs(newUserId('late'), link);
    await page.getByText('It was withdrawn.').waitFor();
    await page.goto(`${link.split('#')[0] ?? ''}#cut`);
    await page.reload();
    await page.getByText('There is no such invitation.').waitFor();
    expectRefusals(complaints, 410);
    expectRefusals(complaints, 400);
  });
});
