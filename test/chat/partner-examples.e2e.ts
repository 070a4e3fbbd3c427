import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey } from '../support/client.js';
import { type OpenApiDocument, problemsOf } from '../support/operations.js';
import { installedExample } from '../support/packed-client.js';
import { freePort } from '../support/postgres.mjs';
import { sharedService, type SharedService } from '../support/shared-service.js';
import { tool } from '../support/requirement.js';

const run = promisify(execFile);
const QUESTION = 'How long may customers\n"return" an \\order?';
const ANSWER = 'Customers may return any order within 30 days of delivery.';
const EVENTS = [
  `event: message_start\ndata: {"conversation_id": "conv_1", "message_id": "msg_1"}\n\n`,
  `event: sources\ndata: {"sources": []}\n\n: ping\n\n`,
  `event: delta\ndata: {"text": "Within "}\n\nevent: delta\r\ndata: {"text": "30 days."}\r\n\r\n`,
].join('');

const contract = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;

const python3 = tool('python3', !spawnSync('python3', ['--version']).error);

const typescript = { name: 'TypeScript', command: [process.execPath, 'dist/ask.js'] };
const python = { name: 'Python', command: ['python3', 'ask.py'] };
const curl = { name: 'curl', command: ['sh', 'ask.sh'] };
const programs = python3.isMet ? [typescript, python] : [typescript];
const languages = [...programs, curl];

describe('examples/partner-backend, alone', () => {
  let service: SharedService;
  let alice: Client;
  let key: IssuedApiKey;
  let folder: string;

  beforeAll(async () => {
    folder = await installedExample('partner-backend');
    await run('npm', ['run', 'build'], { cwd: folder });
    service = await sharedService();
    alice = new Client(service, 'partner-examples');
    const kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, { title: 'Returns policy', text: ANSWER });
    key = await alice.createApiKey(kb.id);
  });

  async function start([file = '', ...args]: string[], environment: NodeJS.ProcessEnv = {}) {
    const env = {
      PATH: process.env['PATH'],
      LATCHKEY_URL: service.url,
      LATCHKEY_API_KEY: key.api_key,
      ...environment,
    };
    return run(file, args, { env, cwd: folder }).then(
      (output) => ({ code: 0, ...output }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
  }

  const ask = (command: string[], url = service.url, ...options: string[]) =>
    start([...command, QUESTION, ...options], { LATCHKEY_URL: url });

  /** Answers with `answer` what `command` asks. */
  async function askOf(
    answer: (...args: Parameters<RequestListener>) => unknown,
    command: string[],
    ...options: string[]
  ) {
    const server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const told = await ask(command, urlOf(server), ...options);
    server.close();
    return told;
  }

  const answer = { code: 0, stdout: `${ANSWER} [1]\n[1] Returns policy\n` };
  it('asks in TypeScript', async () => {
    expect(await ask(typescript.command)).toMatchObject(answer);
  });
  python3.it('asks in Python', async () => {
    expect(await ask(python.command)).toMatchObject(answer);
  });

  it('asks with curl', async () => {
    const { stdout } = await ask(curl.command);
    expect(JSON.parse(stdout)).toMatchObject({ answered: true, answer: `30 days\n${ANSWER} [1]` });
  });

  it.each(programs)('streams in $name', async ({ command }) => {
    expect((await ask(command, service.url, '--stream')).stdout).toBe(`${ANSWER} [1]\n`);
  });

  it.each(languages)('takes an address that ends with a slash in $name', async ({ command }) => {
    for (const slashes of ['/', '//']) {
      const { code, stdout } = await ask(command, service.url + slashes);
      expect([code, stdout]).toEqual([0, expect.stringContaining(ANSWER)]);
    }
  });

  it.each(languages)('prints its usage if nothing is asked in $name', async ({ command }) => {
    for (const [question, environment] of [
      [[], {}],
      [[''], {}],
      [[' \n'], {}],
      [[QUESTION], { LATCHKEY_API_KEY: '' }],
      [[QUESTION], { LATCHKEY_API_KEY: undefined }],
    ] as const) {
      const { code, stdout, stderr } = await start([...command, ...question], environment);
      expect([code, stdout, stderr]).toEqual([
        2,
        '',
        expect.stringMatching(/LATCHKEY_API_KEY=….*"<question>"/),
      ]);
    }
  });

  it.each(languages)('says in a sentence that nothing answers in $name', async ({ command }) => {
    for (const url of [`http://127.0.0.1:${await freePort()}`, 'http://127.0.0.1:x', 'no url']) {
      const { code, stdout, stderr } = await ask(command, url);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^unreachable: [^\n]+\n$/);
      expect(stderr).toContain(url);
    }
  });

  it.each(programs)(
    'says in a sentence that something else has answered in $name',
    async ({ command }) => {
      for (const status of [200, 404, 502]) {
        const { code, stdout, stderr } = await askOf(
          (_, response) => response.writeHead(status).end('<h1>A proxy</h1>'),
          command,
        );
        expect([code, stdout]).toEqual([1, '']);
        expect(stderr).toMatch(new RegExp(`^not_latchkey: [^\\n]*${status}[^\\n]*\\n$`));
      }
    },
  );

  it.each(languages)('retries in $name when asked to', async ({ command }) => {
    // A proxy may send a date, which curl reads by itself.
    const dates = command === curl.command ? [] : ['Wed, 21 Oct 2015 07:28:00 GMT'];
    for (const retryAfter of ['1', ...dates]) {
      const bodies: string[] = [];
      const keys: (string | undefined)[] = [];
      const { stdout } = await askOf(async (request, response) => {
        keys.push(request.headers.authorization);
        bodies.push(await text(request));
        if (bodies.length === 1) response.writeHead(429, { 'retry-after': retryAfter }).end('{}');
        else {
          response.writeHead(200, { 'content-type': 'application/json' });
          response.end('{"answer": "Yes.", "sources": []}');
        }
      }, command);
      expect(stdout).toMatch(command === curl.command ? /^\{"answer": "Yes\."/ : /^Yes\.$/m);
      expect(bodies).toHaveLength(2);
      const inHeader = command === typescript.command ? `Bearer ${key.api_key}` : undefined;
      expect(keys).toEqual([inHeader, inHeader]);
      for (const body of bodies) {
        expect(JSON.parse(body)).toMatchObject({
          ...(command !== typescript.command && { api_key: key.api_key }),
          // The shell has no JSON encoder: a line's end is a space there.
          message: command === curl.command ? QUESTION.replace('\n', ' ') : QUESTION,
        });
      }
    }
  });

  it.each(programs)(
    'tells a whole stream from one that ended early in $name',
    async ({ command }) => {
      const ends = {
        whole: `event: message_end\ndata: {"answer": "Within 30 days."}\n\n`,
        failed: `event: error\ndata: {"code": "model_unavailable", "detail": "Away."}\n\n`,
        cut: '',
        reset: undefined,
      };
      const told: Record<string, unknown> = {};
      for (const [name, end] of Object.entries(ends)) {
        const { code, stdout, stderr } = await askOf(
          (_, response) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            if (end !== undefined) response.end(EVENTS + end);
            else response.write(EVENTS, () => response.destroy());
          },
          command,
          '--stream',
        );
        expect(stdout).toMatch(/^Within 30 days\./);
        told[name] = [code, stderr.split(':')[0]];
      }
      expect(told).toEqual({
        whole: [0, ''],
        failed: [1, 'model_unavailable'],
        cut: [1, 'cut_off'],
        reset: [1, 'cut_off'],
      });
    },
  );

  it.each(languages)('says in $name that its key was revoked, and never the key', async (one) => {
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    const { code, stdout, stderr } = await ask(one.command);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain('api_key_revoked');
    expect(stdout + stderr).not.toContain(key.api_key);
  });
});

describe('docs/partners.md', () => {
  it.each(['/api/v1/chat', '/api/v1/query'])('names every problem of %s', (path) => {
    const guide = readFileSync('docs/partners.md', 'utf8');
    const { responses = {} } = contract.paths[path]?.['post'] ?? {};
    const problems = problemsOf(contract, { responses }).join();
    const codes = [...problems.matchAll(/`(\w+)`/g)].map(([, code]) => code);
    expect(codes).toContain('rate_limited');
    expect(codes.filter((code) => !guide.includes(`\`${String(code)}\``))).toEqual([]);
  });
});

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
