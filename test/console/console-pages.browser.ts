import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import type { BrowserContext, Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../support/browser.js';
import { type ApiKeyUsage, Client, type KnowledgeBase, outcome } from '../support/client.js';
import { ANSWER, ConsolePage, eachInConsole, QUESTION } from '../support/console.js';
import { eventually } from '../support/service.js';
import { newUserId, type SharedService } from '../support/shared-service.js';
import { databaseTime, sql } from '../support/sql.js';
import { tool } from '../support/requirement.js';

const SECRET = /rag_(live|test)_[0-9A-Za-z]{48}/;
const chromium = tool('Chromium', hasChromium);

chromium.describe('a page of the console', () => {
  let service: SharedService;
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let complaints: string[];
  let alice: Client;
  let kb: KnowledgeBase;

  eachInConsole(async (opened) => {
    ({ service, alice, kb, context, page, site, complaints } = opened);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await site.open(`/kbs/${kb.id}/documents`);
    await page.getByText('No documents yet').waitFor();
  });

  const dialog = (name: string) => page.getByRole('dialog', { name });

  it('takes files, shows the state of each, and stops an upload on request', async () => {
    const markdown = (name: string, text: string) => ({
      name,
      mimeType: 'text/markdown',
      buffer: Buffer.from(text),
    });
    const input = page.locator('input[type=file]:not([webkitdirectory])');
    await input.setInputFiles([markdown('returns.md', ANSWER), markdown('empty.md', '![](a.png)')]);
    const files = page.getByRole('list', { name: 'Files' });
    await files.getByText(/returns\.md.*ready/).waitFor();
    await files.getByText(/empty\.md.*failed: .*no text/).waitFor();
    await input.setInputFiles([markdown('copy.md', ANSWER)]);
    await files.getByText(/copy\.md.*already there/).waitFor();
    // A 409 is one, and is dealt with.
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/ 409 /.test(one)));
    await page.route('**/documents', () => undefined);
    await input.setInputFiles([markdown('slow.md', 'Slow.')]);
    await files.getByText(/slow\.md.*sending/).waitFor();
    await site.button('Stop').click();
    await files.getByText(/slow\.md.*stopped/).waitFor();
    await page.unroute('**/documents');

    const network = await context.newCDPSession(page);
    const limits = { offline: false, latency: 0, downloadThroughput: -1 };
    await network.send('Network.emulateNetworkConditions', {
      ...limits,
      uploadThroughput: 100_000,
    });
    await input.setInputFiles([markdown('large.md', 'Large. '.repeat(300_000))]);
    const sent = page.getByRole('progressbar', { name: 'Sent of large.md' });
    await eventually(async () => {
      const share = Number(await sent.getAttribute('value'));
      return share > 0 && share < 1;
    });
    await site.button('Stop large.md').click();
    await files.getByText(/large\.md.*stopped/).waitFor();
    await network.send('Network.emulateNetworkConditions', { ...limits, uploadThroughput: -1 });

    await site.act('Delete returns.md', page.getByRole('row', { name: /returns\.md/ }));
    await dialog('Delete “returns.md”?').getByText('This removes 1 passage from search').waitFor();
    await site.button('Delete document').click();
    await page.getByRole('link', { name: 'returns.md' }).waitFor({ state: 'detached' });
  });

  it('saves the original of a document under its name', async () => {
    await alice.addDocument(kb.id, { title: 'Rückgabe “neu”', text: ANSWER });
    await page.reload();
    await page.getByRole('link', { name: 'Rückgabe “neu”' }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      site.button('Download').click(),
    ]);
    expect(saved.suggestedFilename()).toBe('Rückgabe “neu”.txt');
    expect(await text(await saved.createReadStream())).toBe(ANSWER);
    await page.route('**/original*', () => undefined);
    await site.button('Download').click();
    await site.button('Stop the download').click();
    await site.button('Download').waitFor();
  });

  it('shows which sentence an answer came from, tries settings without saving, and stops', async () => {
    await alice.addDocument(kb.id, { title: 'Returns', text: `Shoes are nice. ${ANSWER}` });
    await alice.addDocument(kb.id, { title: 'Delivery', text: 'We deliver orders to customers.' });
    await site.openPage('Documents');
    await page.getByText('Passages are found by their words.').waitFor();
    await site.openPage('Playground');
    await site.ask(QUESTION);
    expect(await page.locator('.sources mark').first().innerText()).toContain(ANSWER);
    await site.button('Source 1: Returns').click();
    const cited = page.getByRole('dialog', { name: 'Returns' });
    await cited.getByRole('complementary').getByText(ANSWER).waitFor();
    await page.keyboard.press('Escape');
    await cited.waitFor({ state: 'detached' });
    await page.getByText('Answers are quotations').click();
    await page.getByText('LLM_BASE_URL').waitFor();
    await page.getByText('Why these passages').click();
    await page.getByText('Source [1], cited in the answer').waitFor();
    await page.getByText('Try other settings').click();
    await page.getByLabel('Answer threshold').fill('1');
    await page.getByLabel('Fallback message').fill('Not in here.');
    await site.ask('How long may aardvarks return an order?');
    await page.getByText('Not in here.').waitFor();
    const { body } = await alice.get<{ refusal_text: string }>(`/kbs/${kb.id}/settings`);
    expect(body.refusal_text).not.toBe('Not in here.');

    await page.route('**/chat', () => undefined);
    await page.getByLabel('Question').fill(QUESTION);
    await page.getByLabel('Question').press('Enter');
    await site.button('Stop').click();
    await site.button('Stop').waitFor({ state: 'detached' });
  });

  it('asks with effort, and shows what was searched for again', async () => {
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    await site.openPage('Playground');
    await page.getByText('Try other settings').click();
    await page.getByLabel('Effort').selectOption('medium');
    const steps = [
      { searches: ['period for returns', 'who may return'], passages: 2 },
      { searches: [], passages: 0 },
    ];
    const answer = { answer: ANSWER, answered: true, model: 'm', sources: [], steps, usage: null };
    const events = [
      ...steps.map((step) => ['step', step] as const),
      ['sources', { sources: [] }] as const,
      ['message_end', { ...answer, latency_ms: 1, finish_reason: 'stop' }] as const,
    ];
    let asked: unknown;
    await page.route('**/chat', (route) => {
      asked = route.request().postDataJSON();
      const lines = events.map(
        ([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
      );
      return route.fulfill({ contentType: 'text/event-stream', body: lines.join('') });
    });
    await site.ask(QUESTION);
    const shown = page.getByRole('list', { name: 'Searched again' }).getByRole('listitem');
    expect(await shown.allInnerTexts()).toEqual([
      'period for returns · who may return: 2 new passages',
      'Nothing more to search for',
    ]);
    expect(asked).toMatchObject({ message: QUESTION, effort: 'medium' });
  });

  it('shows the secret of a key once, and keeps nothing of it', async () => {
    await site.openPage('API keys');
    await site.button('Create API key').click();
    await page.getByLabel('Name').fill('backend');
    // A double click makes one key.
    await site.button('Create').dblclick();
    const secret = (await page.locator('.secret').innerText()).trim();
    expect(secret).toMatch(SECRET);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    expect(await page.locator('.secret').innerText()).toContain(secret);
    await site.button('Copy').click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret);
    await site.button('I have stored it').click();
    await page.getByRole('cell', { name: 'backend', exact: true }).waitFor();
    expect(await site.traces()).not.toMatch(SECRET);
    const { body } = await alice.get<{ data: unknown[] }>(`/kbs/${kb.id}/api-keys`);
    expect(body.data).toHaveLength(1);

    // The address contains only the prefix of a secret that is searched for.
    await alice.createApiKey(kb.id, { name: 'another', rate_limit_per_end_user: 7 });
    await page.reload();
    await page.getByRole('cell', { name: 'another', exact: true }).waitFor();
    await page.getByLabel('Search names and prefixes').fill(secret);
    await page.getByRole('cell', { name: 'another', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'backend', exact: true }).waitFor();
    expect(page.url()).toContain(`q=${secret.slice(0, 19)}`);
    expect(await site.traces()).not.toMatch(SECRET);
  });

  it('draws the use of a key by day, changes and rotates it, and says what a revoke breaks', async () => {
    const key = await alice.createApiKey(kb.id);
    const usage = async () => (await alice.get<ApiKeyUsage>(`/api-keys/${key.id}/usage`)).body;
    for (const question of ['One?', 'Two?']) await alice.query(key.api_key, question);
    await eventually(async () => {
      await page.reload();
      await site.openPage('API keys');
      const use = page.getByRole('row', { name: key.name }).getByRole('img');
      await use.waitFor();
      return (await use.getAttribute('aria-label')) === '2 questions in 14 days, at most 2 a day';
    });
    await site.button(key.name).click();
    await site.button('Change…').click();
    await page.getByLabel('Requests per minute').fill('77');
    await page.getByLabel('Requests per end user').fill('5');
    await page.getByLabel('rate answers').uncheck();
    await site.button('Save').click();
    await dialog(key.name).getByText('77 requests a minute').waitFor();
    await dialog(key.name).getByText('5 requests a minute', { exact: true }).waitFor();
    await page.evaluate(`new MutationObserver((_, observer) => {
      const select = document.querySelector('[name=grace]');
      if (select === null) return;
      window.firstGrace = select.value;
      observer.disconnect();
    }).observe(document.body, { childList: true, subtree: true })`);
    await site.button('Rotate…').click();
    const grace = page.getByLabel('The old key stops');
    await grace.waitFor();
    // A slip of the hand, however quick, stops nothing.
    expect(await page.evaluate('window.firstGrace')).toBe('86400');
    await grace.selectOption({ label: 'in an hour' });
    await site.button('Rotate key').click();
    // The key's own page has the address of /mcp in the same letters.
    const shown = page.locator('dialog', { hasText: 'It is shown this once.' }).last();
    const secret = (await shown.locator('.secret').innerText()).trim();
    expect(outcome(await alice.query(secret, 'Three?'))).toBe('200');
    await site.button('I have stored it').click();

    // The key's usage is written apart from what is drawn by day, and read once.
    await eventually(async () => (await usage()).requests_24h === 2);
    await page.getByRole('row', { name: 'being replaced' }).getByRole('button').click();
    await site.button('Revoke…').click();
    await page.getByText('It answered 2 requests in the last 24 hours').waitFor();
    await site.button('Revoke key').click();
    await page.getByText('Every request with it is refused').waitFor();
    expect(outcome(await alice.query(key.api_key, 'Four?'))).toBe('401 api_key_revoked');
    // The list and the dialog read it each for itself.
    await eventually(async () => (await usage()).refused_uses_since_revoked > 0);
    await page.reload();
    await page.getByText('Tried after it ended').waitFor();
    await page.getByText('tried since').waitFor();
  });

  it('leads from a question without an answer to the playground, and erases an end user', async () => {
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    const { api_key } = await alice.createApiKey(kb.id);
    const asked = { end_user_id: 'customer-17' };
    await alice.chat(api_key, 'Who is the king of France?', asked);
    await alice.chat(api_key, QUESTION, { end_user_id: 'customer-18' });
    await eventually(async () => {
      await page.reload();
      await site.openPage('Analytics');
      return (await page.getByRole('link', { name: 'king of France' }).count()) === 1;
    });
    await page.getByRole('cell', { name: 'Returns' }).waitFor();
    await page.getByRole('link', { name: 'king of France' }).click();
    await page.locator('.asked', { hasText: 'king of France' }).waitFor();

    await site.openPage('Conversations');
    await site.button('customer-17').click();
    await site.button('customer-18').waitFor({ state: 'detached' });
    await page.locator('tbody a').click();
    await page.locator('.messages').getByText('not answered').waitFor();
    await page.goBack();
    await site.button('Erase this end user…').click();
    await page.getByLabel('to confirm').fill('customer-17');
    await site.button('Erase conversations').click();
    await page.getByText('No conversation fits').waitFor();
    await site.button('Show all').click();
    await site.button('customer-18').waitFor();
  });

  it('turns a question that was not answered into one that is', async () => {
    const { api_key } = await alice.createApiKey(kb.id);
    const question = 'Who is the king of France?';
    const partner = new Client(service);
    expect((await partner.chat(api_key, question)).body.answered).toBe(false);
    await site.openPage('Analytics');
    await page.getByRole('row', { name: question }).getByText('Write the answer').click();
    await page.getByLabel('Answer', { exact: true }).fill('There is none.');
    expect(await page.getByLabel('Questions').inputValue()).toBe(question);
    await page.getByLabel('Review on').fill('2020-01-31');
    await site.expectNoFaults('a curated answer');
    await site.button('Save').click();
    await page.getByRole('row', { name: 'due since' }).getByText('There is none.').waitFor();
    await site.expectNoFaults('curated answers');
    expect((await partner.chat(api_key, question)).body).toMatchObject({
      answered: true,
      answer: 'There is none.',
    });
    await site.act('Change');
    await page.getByLabel('Answer', { exact: true }).fill('Nobody.');
    await site.button('Save').click();
    await page.getByText('Nobody.').waitFor();
    await site.act('Delete');
    await site.button('Delete curated answer').click();
    await page.getByText('No curated answers yet').waitFor();
  });

  it('stops an evaluation', async () => {
    const questions = Array.from({ length: 2000 }, (_, index) => ({
      question: `${QUESTION} ${index}`,
    }));
    await alice.post(`/kbs/${kb.id}/evaluations`, { name: 'Long', questions });
    // As if another process had leased it: otherwise it may be complete before anybody stops it.
    await sql(
      service.environment,
      `UPDATE queued_jobs SET state = 'leased', lease = 'another', due_at = ${databaseTime(50_000)}
       WHERE queue = 'evaluations' AND subject_id IN (SELECT id FROM evaluations WHERE name = 'Long')`,
    );
    await site.openPage('Evaluations');
    await site.button('Long').click();
    await dialog('Long').getByRole('button', { name: 'Stop…' }).click();
    await dialog('Stop the evaluation?').getByText('2,000 questions').waitFor();
    await site.button('Stop and delete').click();
    await page.getByText('No evaluations yet').waitFor();
  });

  it('runs an evaluation, and shows what was right', async () => {
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
    await site.openPage('Evaluations');
    await site.button('Create evaluation').click();
    await page.getByLabel('Name').fill('Returns');
    const questions = [{ question: QUESTION, answer_contains: ['30 days'] }];
    await page.getByLabel('Questions').fill(questions.map((one) => JSON.stringify(one)).join('\n'));
    await site.button('Start').click();
    await page.getByText('complete', { exact: true }).waitFor();
    await site.button('Returns').click();
    await dialog('Returns').getByText('right', { exact: true }).waitFor();
  });

  it('trusts an issuer by the form of its platform, and withdraws the trust', async () => {
    await site.openPage('Trusted issuers');
    await site.button('Trust an issuer').click();
    await page.getByLabel('Audience').fill('https://kb.shop.example.com');
    await page.getByLabel('Subject').fill('repo:shop/site:*');
    await page.getByLabel('Claims').fill('{"repository_id": "123456"}');
    await site.button('Trust').click();
    await page.getByRole('cell', { name: /repo:shop\/site:\*.*repository_id = 123456/ }).waitFor();
    const path = `/kbs/${kb.id}/trusted-issuers`;
    const { body } = await alice.get<{ data: unknown[] }>(path);
    expect(body.data).toMatchObject([
      {
        issuer: 'https://token.actions.githubusercontent.com',
        audience: 'https://kb.shop.example.com',
        subject: 'repo:shop/site:*',
        claims: { repository_id: '123456' },
        scopes: ['query', 'chat'],
        filter: null,
      },
    ]);
    await site.act('Withdraw');
    await site.button('Withdraw trust').click();
    await page.getByText('No trusted issuers yet').waitFor();
    expect((await alice.get<{ data: unknown[] }>(path)).body.data).toEqual([]);
  });

  it('adds a webhook, shows its secret once, and what was delivered', async () => {
    await site.openPage('Webhooks');
    await site.button('Create webhook').click();
    await page.getByLabel('Address').fill('https://hooks.example.invalid/latchkey');
    await page.getByLabel('document.ready').check();
    await site.button('Create').click();
    expect(await page.locator('.secret').innerText()).toMatch(/^whsec_/);
    await site.button('I have stored it').click();
    expect(await site.traces()).not.toMatch(/whsec_/);
    await site.act('Test');
    await dialog('Deliveries').getByRole('row').nth(1).waitFor();
  });

  it('gives roles, and offers a viewer nothing to change', async () => {
    const viewer = newUserId('viewer');
    await site.openPage('Members');
    await site.button('Add a member').click();
    await page.getByLabel('User or group').fill(viewer);
    expect(await page.getByLabel('Role', { exact: true }).inputValue()).toBe('member');
    await page.getByLabel('Role', { exact: true }).selectOption('viewer');
    await site.button('Add').click();
    await page.getByText(`${viewer} is viewer now.`).waitFor();
    await site.button('Add a member').click();
    await page.getByLabel('User or group').fill('group:support, second level');
    await site.button('Add').click();
    await page.getByRole('row', { name: 'support, second level group' }).waitFor();
    await site.openPage('Audit');
    await page.getByText('member.added').first().waitFor();
    await site.signOut();
    await site.signIn(viewer);
    await page.getByRole('link', { name: 'Handbook' }).click();
    await site.openPage('Documents');
    await page.getByText('No documents yet').waitFor();
    expect(await page.getByRole('button', { name: 'Choose files' }).count()).toBe(0);
    await site.openPage('API keys');
    expect(await page.getByRole('button', { name: 'Create API key' }).count()).toBe(0);
    await site.openPage('Settings');
    await page.getByRole('link', { name: 'Answers', exact: true }).click();
    await page.getByText('Members and owners change them.').waitFor();
    expect(await page.getByLabel('Fallback message').count()).toBe(0);
    await site.openPage('Members');
    await site.button('Leave knowledge base').click();
    await dialog('Leave Handbook?').getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByText('You have left Handbook.').waitFor();
    expect(await page.getByRole('link', { name: 'Handbook' }).count()).toBe(0);
  });

  it('deletes a knowledge base only when its name was typed', async () => {
    await site.openPage('Settings');
    await page.getByRole('link', { name: 'Danger zone' }).click();
    await site.button('Delete Handbook…').click();
    await page.getByLabel('to confirm').fill('Another');
    await site.button('Delete knowledge base').click();
    expect((await alice.get(`/kbs/${kb.id}`)).status).toBe(200);
    await page.getByLabel('to confirm').fill('Handbook');
    await site.button('Delete knowledge base').click();
    await page.getByText('Handbook is deleted.').waitFor();
    expect((await alice.get(`/kbs/${kb.id}`)).status).toBe(404);
  });
});
