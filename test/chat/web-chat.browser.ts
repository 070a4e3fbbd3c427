import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Page as BrowserPage } from 'playwright-core';
import { complaintsOf, hasChromium, openBrowser } from '../support/browser.js';
import { Client, type IssuedApiKey, type Page } from '../support/client.js';
import { installedExample } from '../support/packed-client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { tool } from '../support/requirement.js';

const ANSWER = 'Customers may return any order within 30 days of delivery.';
const QUESTION = 'How long may customers return an order?';

const chromium = tool('Chromium', hasChromium);

chromium.describe('examples/web-chat', () => {
  let service: SharedService;
  let alice: Client;
  let kbId: string;
  let key: IssuedApiKey;
  let server: ChildProcess;
  let address: string;
  let browser: Browser;
  let page: BrowserPage;
  let complaints: string[];
  /** Everything that the page was sent, or sent itself. */
  const seen: string[] = [];

  beforeAll(async () => {
    [service, browser] = await Promise.all([sharedService(), openBrowser()]);
    alice = new Client(service, newUserId('alice'));
    kbId = (await alice.createKnowledgeBase()).id;
    await alice.addDocument(kbId, { title: 'Returns policy', text: ANSWER });
    key = await alice.createApiKey(kbId, { scopes: ['chat'] });
    const folder = await installedExample('web-chat');
    server = spawn(process.execPath, ['server.mjs'], {
      cwd: folder,
      env: { LATCHKEY_URL: service.url, LATCHKEY_API_KEY: key.api_key, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(server.stdout ?? server, 'data')) as [Buffer];
    address = line.toString().trim();
    page = await browser.newPage();
    complaints = complaintsOf(page);
    page.on('request', (request) => {
      seen.push(request.url(), JSON.stringify(request.headers()), request.postData() ?? '');
    });
    page.on('response', (response) => {
      void response.text().then(
        (text) => seen.push(text),
        () => undefined,
      );
    });
    await page.goto(address);
  });

  afterAll(async () => {
    await browser.close();
    server.kill();
  });

  const ask = async (question: string) => {
    await page.fill('#question', question);
    await page.click('button');
    await page.waitForSelector('button:enabled');
    return page.locator('#messages li').last().innerText();
  };

  it('asks with a token, and goes on with the conversation', async () => {
    expect(await ask(QUESTION)).toContain(`${ANSWER} [1]\n[1] Returns policy`);
    expect(await ask('And within how many days?')).toContain('30 days');
    const { body } = await alice.get<Page<{ end_user_id: string }>>(`/kbs/${kbId}/conversations`);
    expect(body.data).toEqual([
      expect.objectContaining({ end_user_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as unknown }),
    ]);
    expect(complaints).toEqual([]);
  });

  it('asks for another token when one has expired, and repeats the question', async () => {
    const visits = () => seen.filter((text) => text.endsWith('/client-token')).length;
    const before = visits();
    const json = { status: 401, code: 'client_token_expired', detail: 'The token has ended.' };
    const headers = { 'access-control-allow-origin': '*' };
    await page.route('**/api/v1/chat', (route) => route.fulfill({ status: 401, headers, json }), {
      times: 1,
    });
    expect(await ask(QUESTION)).toContain(ANSWER);
    expect(visits()).toBe(before + 1);
  });

  it('has the key nowhere in the page, nor in what it sends and is sent', async () => {
    seen.push(await page.content(), JSON.stringify(await page.context().cookies()));
    expect(seen.join('\n')).toContain('rag_client_');
    expect(seen.join('\n')).not.toContain(key.api_key.slice(9, 40));
  });

  it('shows that it is refused once the key is revoked', async () => {
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    expect(await ask(QUESTION)).toBe('The API key has been revoked.');
  });
});
