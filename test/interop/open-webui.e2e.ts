import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { Client } from '../support/client.js';
import { freePort } from '../support/postgres.mjs';
import { isThorough } from '../support/repetitions.js';
import { registry, Requirement } from '../support/requirement.js';
import { eventually } from '../support/service.js';
import { newUserId, sharedService } from '../support/shared-service.js';

const QUESTION = 'How long may customers return an order?';
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'open-webui-'));
const environment = join(folder, 'venv');
const program = join(environment, 'bin/open-webui');

/** Requirements of Open WebUI for models on the same machine, which take gigabytes. */
const LEFT_OUT =
  /^(?:accelerate|einops|faster-whisper|opencv|pyarrow|rapidocr|sentence-transformers|sentencepiece|soundfile|transformers)/;

const large = new Requirement(isThorough, 'it installs a gigabyte, so only thorough runs do');
const openWebUi = large.and(registry('Python’s registry', isThorough && install()));

/** Installs Open WebUI as it is, and what it imports. */
function install(): boolean {
  const pip = (...args: string[]) =>
    spawnSync(join(environment, 'bin/pip'), ['install', '--quiet', ...args]).status === 0;
  if (spawnSync('python3', ['-m', 'venv', environment]).status !== 0) return false;
  if (!pip('--no-deps', 'open-webui==0.12.*')) return false;
  const list = `from importlib.metadata import requires
print("\\n".join(one for one in requires("open-webui") if "extra ==" not in one))`;
  const { stdout } = spawnSync(join(environment, 'bin/python'), ['-c', list], { encoding: 'utf8' });
  return pip(
    ...stdout
      .trim()
      .split('\n')
      .filter((name) => !LEFT_OUT.test(name)),
  );
}

let running: ChildProcess | undefined;
afterAll(() => {
  running?.kill();
});

interface StoredChat {
  readonly title: string;
  readonly meta: { readonly tags?: unknown };
  readonly chat: { readonly history: { readonly messages: Record<string, StoredMessage> } };
}

interface StoredMessage {
  readonly done?: boolean;
  readonly content: string;
  readonly followUps?: unknown;
  readonly usage?: { readonly total_tokens: number };
}

openWebUi.it('Open WebUI asks, and its titles, tags and follow-ups are no questions', async () => {
  const { url } = await sharedService();
  const alice = new Client({ url }, newUserId('open-webui'));
  const { id: kbId } = await alice.createKnowledgeBase();
  const text = 'Customers may return any order within 30 days of delivery.';
  await alice.addDocument(kbId, { title: 'Returns policy', text });
  const { api_key: key } = await alice.createApiKey(kbId);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  running = spawn(program, ['serve', '--host', '127.0.0.1', '--port', String(port)], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      ...{ PATH: process.env['PATH'], HOME: folder, DATA_DIR: folder, WEBUI_SECRET_KEY: 'secret' },
      ...{ OPENAI_API_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, ENABLE_OLLAMA_API: 'False' },
      // What it would otherwise download a model for.
      ...{ WEBUI_AUTH: 'False', OFFLINE_MODE: 'true', RAG_EMBEDDING_ENGINE: 'openai' },
      ...{ AUDIO_STT_ENGINE: 'openai', ANONYMIZED_TELEMETRY: 'False' },
    },
  });
  let token = '';
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const response = await fetch(`${base}/api${path}`, {
      ...{ method, headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as T;
  };
  await eventually(async () => {
    return (await fetch(`${base}/health`).catch(() => undefined))?.ok === true;
  }, 180_000);
  const signIn = { email: '', password: '' };
  ({ token } = await call<{ token: string }>('POST', '/v1/auths/signin', signIn));
  const { data } = await call<{ data: { id: string }[] }>('GET', '/models');
  expect(data.map(({ id }) => id)).toEqual(['latchkey', kbId]);

  // As its page does it: the chat first, then the question with what is to be done besides.
  const asked = { id: 'question', parentId: null, role: 'user', content: QUESTION };
  const user_message = { ...asked, childrenIds: ['answer'], models: ['latchkey'] };
  const history = { messages: { question: user_message }, currentId: 'question' };
  const { id: chat_id } = await call<{ id: string }>('POST', '/v1/chats/new', {
    chat: { title: 'New Chat', models: ['latchkey'], messages: [user_message], history },
  });
  await call('POST', '/chat/completions', {
    ...{ model: 'latchkey', messages: [{ role: 'user', content: QUESTION }], stream: true },
    ...{ chat_id, id: 'answer', parent_id: 'question', session_id: 'session', user_message },
    ...{ params: {}, features: {}, tool_servers: [], stream_options: { include_usage: true } },
    background_tasks: {
      ...{ title_generation: true, tags_generation: true, follow_up_generation: true },
    },
  });
  let chat: StoredChat | undefined;
  await eventually(async () => {
    chat = await call<StoredChat>('GET', `/v1/chats/${chat_id}`);
    // Which it writes last.
    return chat.meta.tags !== undefined;
  }, 60_000);
  expect(chat).toMatchObject({ title: QUESTION, meta: { tags: [] } });
  expect(chat?.chat.history.messages['answer']).toMatchObject({
    ...{ content: `30 days\n${text} [1]`, done: true, followUps: [], usage: { total_tokens: 20 } },
  });
  const kept = await alice.get<{ data: unknown[] }>(`/kbs/${kbId}/conversations`);
  expect(kept.body.data).toHaveLength(1);
});
