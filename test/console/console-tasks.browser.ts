import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import type { BrowserContext, Page as BrowserPage } from 'playwright-core';
import { hasChromium } from '../support/browser.js';
import { Client, type KnowledgeBase } from '../support/client.js';
import { ANSWER, type ConsolePage, eachInConsole, QUESTION } from '../support/console.js';
import { tool } from '../support/requirement.js';
import { type SharedService } from '../support/shared-service.js';

const run = promisify(execFile);
const chromium = tool('Chromium', hasChromium);
const NORWAY = 'Do you ship parcels to Norway?';
const PRICES = '| Plan | Price |\n|---|---|\n| Basic | 96.00 |\n| Team | 480.00 |';

const brokenFiles = () => [
  { name: 'empty.pdf', bytes: '' },
  { name: 'broken.docx', bytes: 'PK\x03\x04 cut off' },
  { name: 'broken.pdf', bytes: '%PDF-1.7 broken' },
];

chromium.describe('in the console', () => {
  let service: SharedService;
  let context: BrowserContext;
  let page: BrowserPage;
  let site: ConsolePage;
  let alice: Client;
  let partner: Client;
  let kb: KnowledgeBase;
  let complaints: string[];

  eachInConsole(async (opened) => {
    ({ service, alice, kb, context, page, site, complaints } = opened);
    partner = new Client(service);
    await alice.addDocument(kb.id, { title: 'Returns', text: ANSWER });
  });

  it('an empty knowledge base leads to the first answer in two presses after the upload', async () => {
    const empty = await alice.createKnowledgeBase('Empty');
    await site.open(`/kbs/${empty.id}/overview`);
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('link', { name: 'Add documents' }).click();
    await site.upload('orders.md', `# Orders\n\n${QUESTION}\n\n${ANSWER}\n`);
    await page.getByRole('cell', { name: 'ready' }).waitFor();
    await site.openPage('Overview');
    const suggested = page.getByRole('region', { name: 'Your documents answer' });
    await suggested.getByRole('link', { name: QUESTION }).waitFor();
    await site.expectNoFaults('first steps');
    await suggested.getByRole('link', { name: QUESTION }).click();
    await page.locator('.thread').getByText(ANSWER).first().waitFor();
    await site.openPage('Overview');
    await steps.getByRole('heading', { name: 'Ask a question (done)' }).waitFor();
  });

  it('a new key leads to a working call', async () => {
    await site.open(`/kbs/${kb.id}/keys`);
    await site.button('Create API key').click();
    await page.getByLabel('Name').fill('Web shop');
    await site.button('Create').click();
    const secret = (await page.locator('.secret').innerText()).trim();
    const connect = page.getByRole('region', { name: 'Connect your app' });
    const question = await connect.getByLabel('Question').inputValue();
    expect(question).toBe('What are the documents about?');
    await connect.getByLabel('Question').fill(QUESTION);
    await site.button('Send').click();
    await connect.getByText(ANSWER).waitFor();
    await site.expectNoFaults('connect');

    const snippet = async (name: string) => {
      await site.button(name).click();
      const text = await connect.locator('pre').innerText();
      expect(text).toContain(secret);
      return text;
    };
    const { stdout: answered } = await run('bash', ['-c', `${await snippet('curl')} --silent`]);
    expect(answered).toContain(ANSWER);
    const program = await snippet('TypeScript');
    const { stdout: printed } = await run(process.execPath, ['--input-type=module', '-e', program]);
    expect(printed).toContain(ANSWER);
    expect(await snippet('Python')).toContain(`${service.url}/api/v1/chat`);
    expect(await snippet('OpenAI')).toContain(`${service.url}/v1`);
    expect(JSON.parse(await snippet('MCP'))).toHaveProperty('mcpServers.latchkey.url');

    await site.button('I have stored it').click();
    await site.button('Web shop').click();
    await connect.waitFor();
    expect(await connect.innerText()).toContain('YOUR_API_KEY');
    expect(await site.traces()).not.toContain(secret);
    expect(await site.button('Send').count()).toBe(0);
    await site.expectNoFaults('key');
  });

  it('a question that was not answered becomes one that is, and its gap is closed', async () => {
    const { api_key } = await alice.createApiKey(kb.id, { name: 'Web shop' });
    const ask = async (message: string) =>
      (await partner.chat(api_key, message, { end_user_id: 'customer-17' })).body;
    for (const wording of [NORWAY, 'Ship parcels to Norway, do you?', 'shipping parcels Norway']) {
      expect(await ask(wording)).toMatchObject({ answered: false });
    }
    const { message_id } = await ask(QUESTION);
    await partner.post(`/messages/${message_id}/feedback`, { api_key, rating: 'down' });

    // The inbox tells what became of each, and is searched.
    await site.open(`/kbs/${kb.id}/conversations?answered=false`);
    await page.getByRole('row', { name: `${NORWAY} not answered customer-17 Web shop` }).waitFor();
    await site.expectNoFaults('conversations');
    await page.getByLabel('Words of a question').fill('shipping');
    await site.button('Search').click();
    await page.getByRole('link', { name: NORWAY }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'shipping parcels Norway' }).click();
    await page.locator('.messages').getByText('not answered').waitFor();
    await site.expectNoFaults('conversation');

    await site.openPage('Gaps');
    await page.getByRole('row', { name: QUESTION }).getByText('1 rated bad').waitFor();
    const gap = page.getByRole('row').filter({ hasText: '3 not answered' });
    await gap.waitFor();
    await site.expectNoFaults('gaps');
    // A document that says it closes it, and it opens when it is refused again.
    const text = 'We ship parcels to Norway within five days.';
    const { id } = await alice.addDocument(kb.id, { title: 'Norway', text });
    await gap.getByRole('checkbox').check();
    const chosen = page.getByRole('group', { name: 'Selected rows' });
    const askAgain = chosen.getByRole('button', { name: /^Ask \d questions? again$/ });
    // What is left of it is not asked once the page is left, and is still chosen when it has failed.
    const asking = '**/gaps/ask';
    await page.route(asking, () => undefined);
    const cancelled = page.waitForEvent('requestfailed');
    await Promise.all([page.waitForRequest(asking), askAgain.click()]);
    await site.openPage('Conversations');
    await cancelled;
    await page.unroute(asking);
    const json = { code: 'validation_failed', detail: 'Not today.' };
    await page.route(asking, (route) => route.fulfill({ status: 400, json }));
    await site.openPage('Gaps');
    await gap.getByRole('checkbox').check();
    await askAgain.click();
    await page.getByText(/\d of \d failed: Not today\./).waitFor();
    await page.unroute(asking);
    await askAgain.click();
    await page.getByText(/\d of \d questions? (is|are) answered now\./).waitFor();
    await gap.waitFor({ state: 'detached' });
    await page.getByLabel('State').selectOption('Closed');
    await gap.getByText('asked again').waitFor();
    await site.expectNoFaults('closed gaps');
    await alice.call('DELETE', `/documents/${id}`);
    expect(await ask(NORWAY)).toMatchObject({ answered: false });
    await site.open(`/kbs/${kb.id}/gaps`);
    const reopened = page.getByRole('row').filter({ hasText: NORWAY });
    await site.act(/^Write the answer/, reopened);
    await page.getByLabel('Answer', { exact: true }).fill('We ship to Norway in five days. [1]');
    await page.getByLabel('Find documents by title').fill('ret');
    await site.button('Add Returns').click();
    await site.button('Remove Returns').waitFor();
    await site.expectNoFaults('the answer to a gap');
    await site.button('Save').click();
    await page.getByText('The answer is saved, and the gap is closed.').waitFor();
    await reopened.waitFor({ state: 'detached' });
    expect(await ask(NORWAY)).toMatchObject({
      answer: 'We ship to Norway in five days. [1]',
      curated: true,
      sources: [{ document_title: 'Returns' }],
    });

    // The document is known by its title when the answer is changed.
    await site.openPage('Curated answers');
    await site.act('Change');
    await site.button('Remove Returns').click();
    await site.button('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await ask(NORWAY)).toMatchObject({ curated: true, sources: [] });

    await site.openPage('Conversations');
    await page.getByLabel('Select Ship parcels to Norway, do you?').check();
    await page.getByLabel('Select shipping parcels Norway').check();
    await site.button('Delete…').click();
    await site.button('Delete 2 conversations').click();
    await page.getByText('2 conversations deleted.').waitFor();
    await page.getByLabel('Select shipping parcels Norway').waitFor({ state: 'detached' });
    await page.getByLabel(`Select ${QUESTION}`).waitFor();
    // The browser says so, too, of what was refused above.
    complaints.splice(0, complaints.length, ...complaints.filter((one) => !/ 400 /.test(one)));
  });

  it('a wrong answer is explained by what was stored with it, and fixed', async () => {
    const { api_key } = await alice.createApiKey(kb.id, { name: 'Web shop' });
    const { body } = await partner.chat(api_key, QUESTION);
    await partner.post(`/messages/${body.message_id}/feedback`, { api_key, rating: 'down' });
    await site.open(`/kbs/${kb.id}/conversations/${body.conversation_id}`);
    await site.button('Why this answer').click();
    const trace = page.getByRole('dialog', { name: 'Why this answer' });
    await trace.getByText('The answer is quoted from passages.').waitFor();
    await trace.getByText(QUESTION).waitFor();
    await trace.getByRole('row', { name: /Returns.*cited \[1\]/ }).waitFor();
    await site.expectNoFaults('why this answer');
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Add to an evaluation' }).click();
    const line = await page.getByLabel('Questions').inputValue();
    expect(JSON.parse(line)).toEqual({ question: QUESTION, answer_contains: '30 days' });
    await site.button('Start').click();
    await page.getByRole('cell', { name: 'complete' }).waitFor();

    await site.open(`/kbs/${kb.id}/conversations/${body.conversation_id}`);
    await page.getByRole('link', { name: 'Write the answer' }).click();
    await page.getByLabel('Answer', { exact: true }).fill('Within 60 days.');
    await site.button('Save').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body: fixed } = await partner.chat(api_key, QUESTION);
    expect(fixed.answer).toContain('Within 60 days.');
  });

  it('a file that is refused says why once, and is replaced where it stands', async () => {
    await site.open(`/kbs/${kb.id}/documents`);
    const files = brokenFiles().map(({ name, bytes }) => ({
      ...{ name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) },
    }));
    await page.locator('input[type=file]:not([webkitdirectory])').setInputFiles(files);
    const list = page.getByRole('list', { name: 'Files' });
    const line = (name: string, words: string) =>
      list.getByRole('listitem').filter({ hasText: name }).filter({ hasText: words }).waitFor();
    await line('empty.pdf', 'failed: The file is empty.');
    await line('broken.docx', 'failed: The file is damaged');
    await line('broken.pdf', 'failed: The file is damaged');
    expect(await list.innerText()).not.toContain('not well-formed');
    await site.expectNoFaults('refused files');
    const chosen = page.waitForEvent('filechooser');
    await list.getByRole('button', { name: 'Replace file… broken.pdf' }).click();
    const text = { name: 'mended.md', mimeType: 'text/markdown', buffer: Buffer.from(PRICES) };
    await (await chosen).setFiles([text]);
    await line('broken.pdf', 'ready');
    // The browser notes the refusal of broken.docx.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('415')]);
  });

  it('a folder becomes documents with their paths, without what systems put into it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'latchkey-folder-'));
    await mkdir(join(folder, 'shop/terms'), { recursive: true });
    await writeFile(join(folder, 'shop/prices.md'), PRICES);
    await writeFile(join(folder, 'shop/terms/returns.md'), NORWAY);
    await writeFile(join(folder, 'shop/.DS_Store'), 'x');
    await site.open(`/kbs/${kb.id}/documents`);
    await page.getByLabel('Folder').setInputFiles(join(folder, 'shop'));
    await page.getByText('2 of 2 · 1 system file left out').waitFor();
    const { body } = await alice.get<{ data: { external_id: string | null }[] }>(
      `/kbs/${kb.id}/documents`,
    );
    expect(body.data.map(({ external_id }) => external_id).sort()).toEqual(
      expect.arrayContaining(['shop/prices.md', 'shop/terms/returns.md']),
    );
    await site.expectNoFaults('folder');
  });

  it('a document that could not be read is found from the overview, and mended', async () => {
    await site.open(`/kbs/${kb.id}/documents`);
    const file = (text: string) => [
      { name: 'prices.md', mimeType: 'text/markdown', buffer: Buffer.from(text) },
    ];
    const input = page.locator('input[type=file]:not([webkitdirectory])');
    await input.setInputFiles(file('![](a.png)'));
    await page.getByText(/prices\.md.*failed: .*no text/).waitFor();
    await site.openPage('Overview');
    await page.getByText('1 document could not be read').waitFor();
    await page.getByRole('link', { name: 'See why' }).click();
    await page.getByRole('link', { name: 'prices.md' }).click();
    await page
      .getByText(/no text/)
      .first()
      .waitFor();
    const chosen = page.waitForEvent('filechooser');
    await site.button('Replace file…').click();
    await (await chosen).setFiles(file(PRICES));
    await page.getByText('The file is replaced.').waitFor();
    await page.locator('.passages').getByRole('cell', { name: '480.00' }).waitFor();
    await page.getByText(/no text/).waitFor({ state: 'detached' });
    await site.openPage('Overview');
    await page.getByText('could not be read').waitFor({ state: 'detached' });
    await site.openPage('Playground');
    await site.ask('What does the Team plan cost?');
    await page
      .locator('.reply')
      .getByRole('cell', { name: /^480\.00/ })
      .waitFor();
  });

  it('a conversation goes on in the playground, with tables, what was searched for, and curl', async () => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const text = `# Prices\n\n## Plans of today\n\n${PRICES}\n\n## How long may express parcels be returned?\n\nExpress parcels may be returned within 90 days of delivery.`;
    await alice.addDocument(kb.id, { title: 'Prices', text, mime_type: 'text/markdown' });
    await site.open(`/kbs/${kb.id}/playground`);
    await page.getByRole('button', { name: 'How long may express parcels be returned?' }).waitFor();
    await site.expectNoFaults('playground without a question');
    await site.ask('What does the Team plan cost?');
    const [first] = await page.locator('.thread > li').all();
    await first?.getByRole('columnheader', { name: 'Price' }).first().waitFor();
    await first?.locator('.sources .marked', { hasText: '480.00' }).waitFor();
    await site.ask('How long may customers return an order?');
    await site.ask('And express parcels?');
    const last = page.locator('.thread > li').last();
    await last.locator('.reply').getByText('90 days').waitFor();
    await last.getByText('Why these passages').click();
    await last.getByText(/return an order\?? And express parcels/).waitFor();
    await last.getByText(/passages? found/).waitFor();
    await last.getByText('Source [1], cited in the answer').waitFor();
    // Said once.
    expect(await page.getByText('Answers are quotations').count()).toBe(1);
    await site.expectNoFaults('playground');
    await last.getByRole('button', { name: 'Copy as curl' }).click();
    await last.getByText('Copied.').waitFor();
    const curl = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(curl).toContain(`curl ${service.url}/api/v1/chat`);
    expect(curl).toContain('And express parcels?');
    await site.button('New conversation').click();
    await last.waitFor({ state: 'detached' });
    await site.ask('Who is the king of France?');
    await page.getByRole('link', { name: 'Write the answer' }).click();
    expect(await page.getByLabel('Questions').inputValue()).toBe('Who is the king of France?');
  });
});
