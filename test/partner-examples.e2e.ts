import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client, type IssuedApiKey } from './support/client.js';
import type { OpenApiDocument } from './support/operations.js';
import { newUserId, sharedService, type SharedService } from './support/shared-service.js';
import { engine } from './support/test-database.js';

const run = promisify(execFile);
const FOLDER = 'examples/partner-backend';
const QUESTION = 'How long may customers "return" an order?';
const ANSWER = 'Customers may return any order within 30 days of delivery.';
const EVENTS = [
  `event: message_start\ndata: {"conversation_id": "conv_1", "message_id": "msg_1"}\n\n`,
  `event: sources\ndata: {"sources": []}\n\n: ping\n\n`,
  `event: delta\ndata: {"text": "Within "}\n\nevent: delta\ndata: {"text": "30 days."}\n\n`,
];

const { components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
const streams = components.schemas['ChatDto']?.properties?.['stream'];
const hasPython = !spawnSync('python3', ['--version']).error;
if (!hasPython) console.warn('python3 is not installed: ask.py is NOT TESTED in this run');

const typescript = { name: 'TypeScript', command: [process.execPath, `${FOLDER}/dist/ask.js`] };
const python = { name: 'Python', command: ['python3', `${FOLDER}/ask.py`] };
const languages = hasPython ? [typescript, python] : [typescript];
const curl = { name: 'curl', command: ['sh', `${FOLDER}/ask.sh`] };

// Says nothing about the engine.
(engine === 'sqlite' ? describe : describe.skip)('examples/partner-backend', () => {
  let service: SharedService;
  let alice: Client;
  let key: IssuedApiKey;

  beforeAll(async () => {
    [service] = await Promise.all([
      sharedService(),
      run('npm', ['run', '--silent', 'build', '--prefix', FOLDER], {
        env: { PATH: `${process.cwd()}/node_modules/.bin:${String(process.env['PATH'])}` },
      }),
    ]);
    alice = new Client(service, newUserId('alice'));
    const kb = await alice.createKnowledgeBase();
    await alice.addDocument(kb.id, { title: 'Returns policy', text: ANSWER });
    key = await alice.createApiKey(kb.id);
  });

  async function ask([file = '', ...args]: string[], url = service.url, ...options: string[]) {
    const env = {
      PATH: process.env['PATH'],
      LATCHKEY_URL: url,
      LATCHKEY_API_KEY: key.api_key,
    };
    return run(file, [...args, QUESTION, ...options], { env }).then(
      (output) => ({ code: 0, ...output }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );
  }

  it.each(languages)('asks in $name', async ({ command }) => {
    expect(await ask(command)).toMatchObject({
      code: 0,
      stdout: `${ANSWER} [1]\n[1] Returns policy\n`,
    });
  });

  it('asks with curl', async () => {
    const { stdout } = await ask(curl.command);
    expect(JSON.parse(stdout)).toMatchObject({ answered: true, answer: `${ANSWER} [1]` });
  });

  (streams ? it.each(languages) : it.skip.each(languages))(
    'streams in $name',
    async ({ command }) => {
      expect((await ask(command, service.url, '--stream')).stdout).toBe(`${ANSWER} [1]\n`);
    },
  );

  it.each([...languages, curl])('comes back in $name when asked to', async ({ command }) => {
    const bodies: string[] = [];
    const busy = await listening(async (request, response) => {
      bodies.push(await text(request));
      if (bodies.length === 1) response.writeHead(429, { 'retry-after': '1' }).end('{}');
      else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end('{"answer": "Yes.", "sources": []}');
      }
    });
    const { stdout } = await ask(command, urlOf(busy));
    busy.close();
    expect(stdout).toContain('Yes.');
    expect(bodies).toHaveLength(2);
    for (const body of bodies) {
      expect(JSON.parse(body)).toMatchObject({ api_key: key.api_key, message: QUESTION });
    }
  });

  it.each(languages)(
    'tells a whole stream from one that ended early in $name',
    async (language) => {
      const ends = {
        whole: `event: message_end\ndata: {"answer": "Within 30 days."}\n\n`,
        failed: `event: error\ndata: {"code": "model_unavailable", "detail": "Away."}\n\n`,
        cut: '',
      };
      const told: Record<string, unknown> = {};
      for (const [name, end] of Object.entries(ends)) {
        const server = await listening((_, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.end([...EVENTS, end].join(''));
        });
        const { code, stdout, stderr } = await ask(language.command, urlOf(server), '--stream');
        server.close();
        expect(stdout).toMatch(/^Within 30 days\./);
        told[name] = [code, stderr.split(':')[0]];
      }
      expect(told).toEqual({
        whole: [0, ''],
        failed: [1, 'model_unavailable'],
        cut: [1, 'cut_off'],
      });
    },
  );

  it('says in every language that its key was revoked, and never the key', async () => {
    await alice.call('PATCH', `/api-keys/${key.id}/revoke`);
    for (const { command } of [...languages, curl]) {
      const { code, stdout, stderr } = await ask(command);
      expect(code).not.toBe(0);
      expect(stdout + stderr).toContain('api_key_revoked');
      expect(stdout + stderr).not.toContain(key.api_key);
    }
  });
});

const urlOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

async function listening(listener: (...args: Parameters<RequestListener>) => unknown) {
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
