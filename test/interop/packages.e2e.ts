import { execFile, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Latchkey, thumbprint } from '@latchkey/client';
import { decodeJwt, exportJWK } from 'jose';
import { billOfMaterials } from '../../scripts/bill-of-materials.mjs';
import { Client, type IssuedApiKey } from '../support/client.js';
import { newUserId, sharedService, type SharedService } from '../support/shared-service.js';
import { ProvingKey } from '../support/proving-key.js';
import { packClient, shellEnvironment } from '../support/packed-client.js';
import { registry } from '../support/requirement.js';
import { snippetsOf } from '../support/snippets.js';

const run = promisify(execFile);
const ANSWER = 'Customers may return any order within 30 days of delivery.';
const snippets = snippetsOf('docs/clients.md');
const scripts = snippets.filter(({ language }) => language === 'js');
const pythonScripts = snippets.filter(({ language }) => language === 'python');
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'packages-'));

/** Other runtimes than Node.js, which npm installs. */
const runtimes = [
  {
    ...{ name: 'Deno', dependency: '@deno/linux-x64-glibc', program: 'deno' },
    args: ['run', '--allow-env', '--allow-net', '--allow-read'],
  },
  { ...{ name: 'Bun', dependency: '@oven/bun-linux-x64', program: 'bin/bun' }, args: ['run'] },
].map(({ name, dependency, program, args }) => {
  const place = join(folder, name);
  mkdirSync(place, { recursive: true });
  const install = ['install', '--ignore-scripts', '--no-save', '--prefix', place, dependency];
  const binary = join(place, 'node_modules', dependency, program);
  const isInstalled = spawnSync('npm', install).status === 0;
  return { name, isInstalled, command: [binary, ...args] };
});

let service: SharedService;
let alice: Client;
let kbId: string;
let key: IssuedApiKey;

beforeAll(async () => {
  service = await sharedService();
  alice = new Client(service, newUserId('packages'));
  ({ id: kbId } = await alice.createKnowledgeBase());
  await alice.addDocument(kbId, { title: 'Returns policy', text: ANSWER });
  const scopes = ['query', 'chat', 'feedback', 'documents:read', 'documents:write'];
  key = await alice.createApiKey(kbId, { scopes });
});

const environment = () => ({
  PATH: process.env['PATH'],
  HOME: folder,
  LATCHKEY_URL: service.url,
  LATCHKEY_API_KEY: key.api_key,
});

describe('a package that npm packs', () => {
  const filesOf = (cwd: string, ...args: string[]) => {
    const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', ...args], {
      cwd,
      encoding: 'utf8',
      env: shellEnvironment(),
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    return files.map(({ path }) => path);
  };

  it('has the client’s code, though nothing of it was built', () => {
    const copy = join(folder, 'repository');
    for (const path of ['openapi.json', 'scripts/openapi-types.mjs', 'packages/client']) {
      const filter = (file: string) => !/(?:dist|src\/openapi\.ts)$/.test(file);
      cpSync(path, join(copy, path), { recursive: true, filter });
    }
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
    expect(filesOf(join(copy, 'packages/client'))).toEqual(
      expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/latchkey.js']),
    );
    // As docs/clients.md says.
    rmSync(join(copy, 'packages/client/dist'), { recursive: true });
    cpSync('.npmrc', join(copy, '.npmrc'));
    writeFileSync(join(copy, 'package.json'), '{"private":true}');
    expect(filesOf(copy, '--ignore-scripts=false', './packages/client')).toContain('dist/index.js');
  });

  it('has the command line as it is now, where scripts may run', () => {
    const began = Date.now();
    // The .npmrc of the root, which forbids them, counts in the folder of a workspace too.
    expect(filesOf('packages/cli', '--ignore-scripts=false')).toContain('dist/latchkey.js');
    expect(statSync('packages/cli/dist/latchkey.js').mtimeMs).toBeGreaterThanOrEqual(began);
  });

  // Here npm reads .npmrc, and so runs no prepack: what `npm run build` has made is packed.
  it.each([
    ['./packages/client', 'dist/index.js'],
    ['./packages/widget', 'dist/index.js'],
    ['./packages/cli', 'dist/latchkey.js'],
  ])('has its code when it is packed from the root: %s', async (path, file) => {
    for (const name of ['client', 'widget']) await run('npx', ['tsc', '-p', `packages/${name}`]);
    expect(filesOf('.', path)).toContain(file);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts['build']).toMatch(/build-cli.*packages\/client.*packages\/widget/);
  });
});

describe('@latchkey/client, packed and installed', () => {
  beforeAll(async () => {
    const packed = await packClient(folder);
    writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
    await run('npm', ['install', '--offline', '--ignore-scripts', packed], { cwd: folder });
    // What the examples of other clients import.
    for (const name of ['openai', '@langchain', '@modelcontextprotocol']) {
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
    }
  });

  it.each(scripts.map((snippet, index) => [`${snippet.heading} ${index}`, snippet.code] as const))(
    'runs what docs/clients.md shows: %s',
    async (name, code) => {
      const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.mjs`);
      writeFileSync(file, code);
      const { stdout, stderr } = await run(process.execPath, [file], { env: environment() });
      expect(stdout + stderr).toContain(ANSWER);
    },
  );

  it('keeps its types in a strict project', async () => {
    writeFileSync(
      join(folder, 'strict.ts'),
      `import { Latchkey, type ChatAnswer, LatchkeyError } from '@latchkey/client';
const latchkey = new Latchkey({ baseUrl: 'http://localhost', apiKey: 'x' });
export const answer: Promise<ChatAnswer> = latchkey.chat({ message: 'a', top_k: 3 });
// @ts-expect-error: there is no such field
void latchkey.chat({ message: 'a', topK: 3 });
export async function texts(): Promise<string> {
  let text = '';
  for await (const event of latchkey.chatStream({ message: 'a' })) {
    if (event.type === 'delta') text += event.text;
    if (event.type === 'message_end') text = event.answer.answer;
  }
  return text;
}
export const isRevoked = (error: unknown) =>
  error instanceof LatchkeyError && error.code === 'api_key_revoked';
`,
    );
    const options = ['--strict', '--noEmit', '--exactOptionalPropertyTypes'];
    const module = ['--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
    await run(
      process.execPath,
      [resolve('node_modules/typescript/bin/tsc'), ...options, ...module, 'strict.ts'],
      { cwd: folder },
    );
  });

  it('adds a document, reads and deletes it, and rates an answer', async () => {
    const file = join(folder, 'ingest.mjs');
    writeFileSync(
      file,
      `import { Latchkey, LatchkeyError } from '@latchkey/client';
const { LATCHKEY_URL: baseUrl, LATCHKEY_API_KEY: apiKey } = process.env;
const latchkey = new Latchkey({ baseUrl, apiKey });
const blob = new File(['# Shipping\\n\\nOrders leave the warehouse on workdays.'], 'shipping.md');
const ids = [];
ids.push((await latchkey.ingest('a/ä b', { title: 'Text', text: 'A text by its id.' })).external_id);
ids.push((await latchkey.ingest('file', { file: blob, metadata: { team: 'x' } })).external_id);
ids.push((await latchkey.ingestedDocument('file')).metadata.team);
await latchkey.deleteIngestedDocument('file');
const gone = await latchkey.ingestedDocument('file').catch((error) => error);
ids.push(gone instanceof LatchkeyError && gone.status, gone.code, gone.requestId !== undefined);
const { message_id } = await latchkey.chat({ message: 'How long may customers return an order?' });
ids.push((await latchkey.feedback(message_id, { rating: 'up' })).rating);
console.log(JSON.stringify(ids));
`,
    );
    const { stdout } = await run(process.execPath, [file], { env: environment() });
    expect(JSON.parse(stdout)).toEqual(['a/ä b', 'file', 'x', 404, 'not_found', true, 'up']);
  });

  for (const { name, isInstalled, command } of runtimes) {
    registry(`the registry that has ${name}`, isInstalled).it(`runs in ${name}`, async () => {
      const file = join(folder, `${name}.mjs`);
      writeFileSync(file, scripts[0]?.code ?? '');
      const [program = '', ...args] = command;
      const { stdout } = await run(program, [...args, file], { env: environment(), cwd: folder });
      expect(stdout).toContain(ANSWER);
    });
  }
});

const SELF_ROTATION = { self_rotation: { grace_seconds: 3600 } };

describe('@latchkey/client', () => {
  it('shows what a key or client token may do, and throws if it is invalid', async () => {
    const tell = (apiKey: string) => new Latchkey({ baseUrl: service.url, apiKey }).key();
    const view = await tell(key.api_key);
    expect(view).toMatchObject({ id: key.id, kind: 'api_key', scopes: key.scopes });
    expect(view.remaining.rate_limit_per_minute).toBeLessThanOrEqual(6000);
    const { client_token: token } = await new Client(service).createClientToken(key.api_key);
    expect(await tell(token)).toMatchObject({ id: key.id, kind: 'client_token', name: null });
    await expect(tell('rag_live_none')).rejects.toMatchObject({
      ...{ name: 'LatchkeyError', status: 401, code: 'invalid_api_key' },
    });
  });

  it.each(['ES256', 'Ed25519', 'RS256', 'PS256'])(
    'proves the key pair that its key is bound to, by %s',
    async (algorithm) => {
      const { pair, jkt, constraint } = await ProvingKey.create(algorithm);
      expect(await thumbprint(pair.publicKey)).toBe(jkt);
      const { api_key: apiKey } = await alice.createApiKey(kbId, constraint);
      const latchkey = new Latchkey({ baseUrl: service.url, apiKey, dpop: pair });
      for (let count = 0; count < 3; count++) {
        expect(await latchkey.key()).toMatchObject(constraint);
      }
      const bare = new Latchkey({ baseUrl: service.url, apiKey });
      await expect(bare.key()).rejects.toMatchObject({ code: 'proof_required' });
    },
  );

  it('rotates its key, once for each idempotency key, and ends it', async () => {
    const { api_key: apiKey } = await alice.createApiKey(kbId, SELF_ROTATION);
    const old = new Latchkey({ baseUrl: service.url, apiKey });
    const { id } = await old.rotateKey('november');
    const { api_key: secret, ...successor } = await old.rotateKey('november');
    expect(successor).toMatchObject({ id, replaced_key_expires_at: expect.any(String) as unknown });
    const latchkey = new Latchkey({ baseUrl: service.url, apiKey: secret });
    expect(await latchkey.key()).toMatchObject({ id, self_rotation: true });
    await latchkey.revokeKey();
    await expect(latchkey.key()).rejects.toMatchObject({ code: 'api_key_revoked' });
    expect(await old.key()).toMatchObject({ notices: [{ code: 'replaced' }] });
  });

  const problem = (status: number, code: string) =>
    Response.json({ status, code, detail: 'No.', request_id: 'r-1' }, { status });

  /** A client whose requests are answered in turn. */
  function clientOf(answers: Response[], maxRetries = 4) {
    const sent: string[] = [];
    const tokens = ['first', 'second', 'third'];
    const latchkey = new Latchkey({
      baseUrl: 'http://localhost:3000/',
      apiKey: () => tokens.shift() ?? '',
      maxRetries,
      fetch: (url, { headers } = {}) => {
        const { authorization } = headers as { authorization: string };
        sent.push(`${authorization} ${JSON.stringify(url)}`);
        const answer = answers.shift();
        return answer ? Promise.resolve(answer) : Promise.reject(new Error('no more'));
      },
    });
    return { latchkey, sent };
  }

  it('asks for another token when the one it has is past its end, once', async () => {
    const expired = () => problem(401, 'client_token_expired');
    const { latchkey, sent } = clientOf([expired(), Response.json({ answer: 'Yes.' }), expired()]);
    expect(await latchkey.chat({ message: 'May I?' })).toEqual({ answer: 'Yes.' });
    expect(sent.map((one) => one.split(' ')[1])).toEqual(['first', 'second']);
    await expect(latchkey.chat({ message: 'And now?' })).rejects.toMatchObject({
      code: 'unreachable',
    });
    expect(sent.map((one) => one.split(' ')[1])).toEqual(['first', 'second', 'second', 'third']);
  });

  it('repeats a request once with the nonce that the service wants, and keeps it', async () => {
    const { pair } = await ProvingKey.create();
    const nonces: unknown[] = [];
    const refusal = (nonce: string) =>
      Response.json(
        { status: 401, code: 'invalid_proof', detail: 'No.', request_id: 'r-1' },
        {
          status: 401,
          headers: { 'dpop-nonce': nonce, 'www-authenticate': 'DPoP error="use_dpop_nonce"' },
        },
      );
    const answers = [refusal('a'), Response.json({}), refusal('b'), refusal('c')];
    const latchkey = new Latchkey({
      ...{ baseUrl: 'http://localhost', apiKey: 'first', dpop: pair },
      fetch: (_, { headers } = {}) => {
        nonces.push(decodeJwt((headers as { dpop: string }).dpop)['nonce']);
        return Promise.resolve(answers.shift() ?? Response.json({}));
      },
    });
    await latchkey.key();
    await expect(latchkey.key()).rejects.toMatchObject({ code: 'invalid_proof' });
    await latchkey.key();
    expect(nonces).toEqual([undefined, 'a', 'a', 'b', 'c']);
  });

  it('throws what the service refuses, by its code', async () => {
    const { latchkey, sent } = clientOf([problem(429, 'rate_limited')], 0);
    await expect(latchkey.query({ message: 'May I?' })).rejects.toMatchObject({
      ...{ name: 'LatchkeyError', status: 429, code: 'rate_limited', requestId: 'r-1' },
      problem: { detail: 'No.' },
    });
    expect(sent).toEqual(['Bearer first "http://localhost:3000/api/v1/query"']);
  });
});

const hasPython = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')]).status === 0;
const python = join(folder, 'venv/bin/python');
const pip = (...args: string[]) =>
  spawnSync(python, ['-m', 'pip', 'install', '--quiet', ...args], { encoding: 'utf8' });
const isReached =
  hasPython && pip('httpx', 'typing-extensions', 'build', 'mypy', 'openai', 'joserfc').status === 0;

registry('Python’s registry', isReached).describe('the Python package, built and installed', () => {
  beforeAll(async () => {
    await run(python, ['-m', 'build', '--wheel', '--outdir', folder, 'packages/python']);
    const { status, stderr } = pip('--no-index', '--find-links', folder, 'latchkey-client');
    if (status !== 0) throw new Error(stderr);
  });

  it.each(
    pythonScripts.map((snippet, index) => [`${snippet.heading} ${index}`, snippet.code] as const),
  )('runs what docs/clients.md shows: %s', async (name, code) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '_')}.py`);
    writeFileSync(file, code);
    const { stdout } = await run(python, [file], { env: environment() });
    expect(stdout).toContain(ANSWER);
  });

  it('asks, streams, adds documents and rates answers, also asynchronously', async () => {
    const file = join(folder, 'all.py');
    writeFileSync(
      file,
      `import asyncio, json, os
from latchkey_client import AsyncLatchkey, Delta, Latchkey, LatchkeyError, MessageEnd
url, key = os.environ["LATCHKEY_URL"], os.environ["LATCHKEY_API_KEY"]
question = "How long may customers return an order?"
seen = []
with Latchkey(url, key) as latchkey:
    seen.append(latchkey.query(message=question, top_k=1)["results"][0]["text"])
    seen.append(latchkey.ingest("py/1", title="T", text="A text from Python.")["external_id"])
    seen.append(latchkey.ingest_file("py/2", "a.md", b"# A\\n\\nA file from Python.")["external_id"])
    latchkey.delete_ingested_document("py/2")
    try:
        latchkey.ingested_document("py/2")
    except LatchkeyError as error:
        seen += [error.status, error.code, error.request_id is not None]
    token = latchkey.create_client_token(end_user_id="customer")["client_token"]
    seen.append(token.startswith("rag_client_"))
    seen += [latchkey.key()["kind"], Latchkey(url, token).key()["kind"]]
rotated = [Latchkey(url, os.environ["ROTATED_KEY"]).rotate_key("november") for _ in range(2)]
seen.append(rotated[0]["id"] == rotated[1]["id"])
Latchkey(url, rotated[1]["api_key"]).revoke_key()
try:
    Latchkey(url, rotated[1]["api_key"]).key()
except LatchkeyError as error:
    seen.append(error.code)
try:
    Latchkey("http://127.0.0.1:9", key).query(message="x")
except LatchkeyError as error:
    seen.append(error.code)
async def main():
    async with AsyncLatchkey(url, key) as latchkey:
        seen.append((await latchkey.key())["id"])
        text = ""
        async for event in latchkey.chat_stream(message=question):
            if isinstance(event, Delta):
                text += event.text
            if isinstance(event, MessageEnd):
                await latchkey.feedback(event.answer["message_id"], rating="up")
        seen.append(text)
asyncio.run(main())
print(json.dumps(seen))
`,
    );
    const { api_key: rotated } = await alice.createApiKey(kbId, SELF_ROTATION);
    const env = { ...environment(), ROTATED_KEY: rotated };
    const { stdout } = await run(python, [file], { env });
    expect(JSON.parse(stdout)).toEqual([
      ...[ANSWER, 'py/1', 'py/2', 404, 'not_found', true, true],
      ...[
        'api_key',
        'client_token',
        true,
        'api_key_revoked',
        'unreachable',
        key.id,
        `30 days\n${ANSWER} [1]`,
      ],
    ]);
  });

  it('proves the key pair that its key is bound to, and follows the nonces', async () => {
    const pair = await ProvingKey.create();
    const { api_key: bound } = await alice.createApiKey(kbId, pair.constraint);
    const file = join(folder, 'bound.py');
    writeFileSync(
      file,
      `import asyncio, json, os
from joserfc.jwk import ECKey
from latchkey_client import AsyncLatchkey, Latchkey, LatchkeyError, MessageEnd
key, question = os.environ["BOUND_KEY"], "How long may customers return an order?"
pair = ECKey.import_key(json.loads(os.environ["PAIR"]))
url = os.environ["LATCHKEY_URL"]
seen = [pair.thumbprint()]
with Latchkey(url, key, dpop=pair) as latchkey:
    for nonce in None, None, "of another process":
        latchkey._prover._nonce = nonce or latchkey._prover._nonce
        seen.append(latchkey.query(message=question)["results"][0]["text"])
    streamed = list(latchkey.chat_stream(message=question))
    seen.append(isinstance(streamed[-1], MessageEnd))
try:
    Latchkey(url, key).query(message=question)
except LatchkeyError as error:
    seen.append(error.code)
async def main():
    async with AsyncLatchkey(url, key, dpop=pair) as latchkey:
        seen.append((await latchkey.key())["sender_constraint"]["jkt"])
asyncio.run(main())
print(json.dumps(seen))
`,
    );
    const { stdout } = await run(python, [file], {
      env: {
        ...{ ...environment(), BOUND_KEY: bound },
        PAIR: JSON.stringify(await exportJWK(pair.pair.privateKey)),
      },
    });
    const answers = Array.from({ length: 3 }, () => ANSWER);
    expect(JSON.parse(stdout)).toEqual([pair.jkt, ...answers, true, 'proof_required', pair.jkt]);
  });

  it('is typed', async () => {
    await run(python, ['-m', 'mypy', '--strict', '--package', 'latchkey_client'], {
      cwd: resolve('packages/python/src'),
    });
  });
});

it('the bill of materials has every package that npm ci --omit=dev installs', () => {
  interface Locked {
    readonly version: string;
    readonly dev?: boolean;
    readonly link?: boolean;
  }
  const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const bill = JSON.parse(billOfMaterials('cyclonedx')) as {
    metadata: { component: { name: string } };
    components: { group?: string; name: string; version: string; purl: string }[];
  };
  expect(bill.metadata.component.name).toBe('latchkey');
  // Without the packages of this repository.
  const others = bill.components.filter(({ purl }) => !purl.startsWith('pkg:npm/%40latchkey/'));
  const listed = others.map(({ group, name, version }) =>
    [...(group === undefined ? [] : [group]), `${name}@${version}`].join('/'),
  );
  const installed = Object.entries(lockfile.packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1) ?? ''}@${version}`);
  expect(listed.sort()).toEqual([...new Set(installed)].sort());
});
