/* global setTimeout */
// Takes a picture of every page of the console, in two widths, both themes and from right to left, to be
// looked at:
//   node scripts/console-screenshots.mjs http://localhost:3000 <folder>
// The service runs in mode trust. A knowledge base is made for it, and deleted at the end.
import { readFileSync } from 'node:fs';
import playwright from 'playwright-core';

const [, , url = 'http://localhost:3000', folder = 'screenshots'] = process.argv;
const USER = `designer-${Date.now()}`;
const SIZES = { wide: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
const SECTIONS = [
  ...[
    'overview',
    'documents',
    'sources',
    'curated-answers',
    'conversations',
    'evaluations',
    'keys',
  ],
  ...[
    'trusted-issuers',
    'webhooks',
    'analytics',
    'costs',
    'members',
    'access',
    'audit',
    'settings',
  ],
];
const MODES = [
  ['light', 'ltr'],
  ['dark', 'ltr'],
  ['light', 'rtl'],
];

const browser = await playwright.chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu'],
});
const seeded = await seed();
for (const [colorScheme, direction] of MODES) {
  for (const [size, viewport] of Object.entries(SIZES)) {
    const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.addInitScript(
      `addEventListener('DOMContentLoaded', () => { document.documentElement.dir = '${direction}'; })`,
    );
    page.on('pageerror', ({ message }) => {
      console.error(message);
    });
    const take = async (name) => {
      await page.waitForLoadState('networkidle');
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      await page.screenshot({
        path: `${folder}/${name}-${size}-${colorScheme}-${direction}.png`,
        fullPage: true,
      });
    };
    await walk(page, take);
    await context.close();
  }
}
await call('DELETE', `/service-accounts/${seeded.account.id}`);
await call('DELETE', `/kbs/${seeded.kb.id}`);
await call('DELETE', `/kbs/${seeded.empty.id}`);
await browser.close();

async function walk(page, take) {
  const { kb, empty, document, conversation, key } = seeded;
  const button = (name) => page.getByRole('button', { name, exact: true }).first();
  const open = async (path) => {
    await page.goto(`${url}/console${path}`);
    await page.locator('h1').waitFor();
  };
  await page.goto(`${url}/console/`);
  await button('Sign in').waitFor();
  await take('sign-in');
  await page.getByLabel('User id').fill(USER);
  await button('Sign in').click();
  await page.getByRole('heading', { name: kb.name }).waitFor();
  await take('knowledge-bases');
  await button('New knowledge base').click();
  await take('new-knowledge-base');
  for (const section of SECTIONS) {
    await open(`/kbs/${kb.id}/${section}`);
    await take(section);
    await open(`/kbs/${empty.id}/${section}`);
    await take(`${section}-empty`);
  }
  await open(`/kbs/${kb.id}/documents/${document.id}`);
  await take('document');
  await open(`/kbs/${kb.id}/conversations/${conversation}`);
  await take('conversation');
  await open(`/kbs/${kb.id}/sources`);
  await button('Connect a source').click();
  await take('connect-a-source');
  await open(`/kbs/${kb.id}/sources/${seeded.source.id}`);
  await take('source');
  await open(`/kbs/${empty.id}/playground`);
  await take('playground-empty');
  await open(`/kbs/${kb.id}/playground`);
  await page.getByLabel('Question').fill('How long may customers return an order?');
  await page.getByLabel('Question').press('Enter');
  await page.getByText('Why these passages').click();
  await button('Show source 1').click();
  await page.getByText('Try other settings').click();
  await take('playground');
  await button('Ask as…').click();
  await page.getByLabel('Groups').fill('support');
  await button('Ask as this person').click();
  await take('playground-as-somebody');
  await open('/service-accounts');
  await take('service-accounts');
  await button('New service account').click();
  await take('new-service-account');
  await open(`/service-accounts/${seeded.account.id}`);
  await take('service-account');
  await button('New key').click();
  await take('new-management-key');
  await open('/audit');
  await take('audit-of-all');
  await open(`/kbs/${kb.id}/keys`);
  await button(key.name).click();
  await page.getByText('Last use').last().waitFor();
  await take('key');
  await button('Revoke…').click();
  await take('revoke');
  await open(`/kbs/${kb.id}/keys`);
  await button('New API key').click();
  await page.getByLabel('Name').fill('Shop backend');
  await take('new-key');
  await button('Issue key').click();
  await page.locator('.secret').waitFor();
  await take('secret');
  await button('I have stored it').click();
  await open(`/kbs/${kb.id}/settings`);
  await button(`Delete ${kb.name}…`).click();
  await take('delete-knowledge-base');
  await open('/components');
  await take('components');
  await open('/nowhere');
  await take('no-such-page');
}

async function call(method, path, body, headers = { 'x-idp-user-id': USER }) {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

async function seed() {
  const description = 'What the people in support look up all day.';
  const kb = await call('POST', '/kbs', { name: 'Support handbook', description });
  const empty = await call('POST', '/kbs', { name: 'Empty' });
  const path = `/kbs/${kb.id}`;
  const add = (title, text, more = {}) =>
    call('POST', `${path}/documents`, { title, text, ...more });
  const mime_type = 'text/markdown';
  const document = await add('Guide to the project', readFileSync('CONTRIBUTING.md', 'utf8'), {
    mime_type,
  });
  const returns =
    'Customers may return any order within 30 days of delivery. The shop pays for the parcel.';
  await add('Returns', returns, { external_id: 'returns', metadata: { department: 'support' } });
  await add('A-file-name-without-any-space-which-goes-on-and-on-and-on-and-on.md', 'Short.');
  await add('Broken page', '<html></html>', { mime_type: 'text/html' });
  while (
    (await call('GET', `${path}/documents`)).data.some(({ status }) => /p.*ing/.test(status))
  ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const key = await call('POST', `${path}/api-keys`, { name: 'Web shop', environment: 'live' });
  const old = await call('POST', `${path}/api-keys`, { name: 'Old script', environment: 'test' });
  await call('PATCH', `/api-keys/${old.id}/revoke`);
  await call('POST', `${path}/api-keys`, {
    name: 'Importer',
    environment: 'live',
    scopes: ['documents:write', 'documents:read'],
  });
  let conversation = '';
  for (const message of ['How long may customers return an order?', 'Who is the king of France?']) {
    const body = { message, api_key: key.api_key, end_user_id: 'customer-17' };
    const answer = await call('POST', '/chat', body, {});
    const rating = { api_key: key.api_key, rating: 'up', comment: 'Just what I needed.' };
    await call('POST', `/messages/${answer.message_id}/feedback`, rating, {});
    conversation ||= answer.conversation_id;
  }
  await call('POST', '/query', { message: 'parcel', api_key: key.api_key }, {});
  await call('PUT', `${path}/members/bob`, { role: 'viewer' });
  await call('POST', `${path}/webhooks`, {
    url: 'https://hooks.example.com/latchkey',
    events: ['document.ready', 'message.unanswered'],
  });
  await call('POST', `${path}/evaluations`, {
    name: 'Returns',
    questions: [
      { question: 'How long may customers return an order?', external_ids: ['returns'] },
      { question: 'Who is the king of France?', answerable: false },
    ],
  });
  await call('PUT', `${path}/members/group%3Asupport`, { role: 'viewer' });
  const rule = { allow: ['group:support', `user:${USER}`], deny: ['group:interns'] };
  await call('PATCH', `/documents/${document.id}`, { access: rule });
  await call('POST', `${path}/access-sets`, { name: 'Human resources', allow: ['group:hr'] });
  const roles = [{ kb_id: kb.id, role: 'member' }];
  const account = await call('POST', '/service-accounts', { name: 'Deployment', kbs: roles });
  const scopes = ['keys:write', 'documents:write'];
  await call('POST', `/service-accounts/${account.id}/api-keys`, { name: 'CI', scopes });
  const source = await call('POST', `${path}/sources`, {
    ...{ type: 'website', name: 'Documentation', schedule: { every_minutes: 60 } },
    config: { start_urls: ['https://docs.example.com/'] },
  });
  await call('POST', `/sources/${source.id}/run`, {});
  return { kb, empty, document, key, conversation, source, account };
}
