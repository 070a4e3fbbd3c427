import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { hasChromium, openBrowser } from '../support/browser.js';
import { Client } from '../support/client.js';
import { FormBrowser, withApiKey } from '../support/form-browser.mjs';
import { runAuthorizationScenarios } from '../support/mcp-conformance.js';
import { shellEnvironment } from '../support/packed-client.js';
import { freePort } from '../support/postgres.mjs';
import { registry, tool } from '../support/requirement.js';
import { newUserId, sharedService } from '../support/shared-service.js';

// Unmodified MCP clients, which are given the address alone: they find out how they are connected, register,
// and open a browser, in which their person enters an API key.

const run = promisify(execFile);
const QUESTION = 'How long may customers return an order?';
const ANSWER = '30 days\nCustomers may return any order within 30 days of delivery. [1]';
const folder = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'agents-'));
// By this name, and by BROWSER, programs find the browser.
const browser = join(folder, 'bin/xdg-open');
mkdirSync(join(folder, 'bin'));
symlinkSync(resolve('test/support/agent-browser.mjs'), browser);

let url: string;
let mcpUrl: string;
let key: string;
let environment: Record<string, string>;

beforeAll(async () => {
  ({ url } = await sharedService());
  mcpUrl = `${url}/mcp`;
  const alice = new Client({ url }, newUserId('agents'));
  const { id: kbId } = await alice.createKnowledgeBase();
  const text = 'Customers may return any order within 30 days of delivery.';
  await alice.addDocument(kbId, { title: 'Returns policy', text });
  ({ api_key: key } = await alice.createApiKey(kbId));
  environment = {
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    ...{ HOME: folder, BROWSER: browser, AGENT_API_KEY: key },
    ...{ MCP_URL: mcpUrl, QUESTION, MCP_INSPECTOR_SECRET_STORE: 'memory' },
  };
});

const npm = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
const programs = ['mcp-remote@0', '@modelcontextprotocol/inspector@2'];
const hasPrograms = spawnSync('npm', [...npm, ...programs], { env: shellEnvironment() });
const npmRegistry = registry('npm’s registry', hasPrograms.status === 0);
const mcpRemote = join(folder, 'node_modules/mcp-remote/dist/proxy.js');
const inspector = join(
  folder,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

npmRegistry.it('mcp-remote connects programs that run servers themselves', async () => {
  const client = new McpClient({ name: 'test', version: '1' });
  const args = [mcpRemote, mcpUrl];
  const server = { command: process.execPath, args, env: environment, stderr: 'ignore' as const };
  await client.connect(new StdioClientTransport(server));
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch', 'ask']);
  const asked = await client.callTool({ name: 'ask', arguments: { question: QUESTION } });
  expect(asked.structuredContent).toMatchObject({ answer: ANSWER });
  await client.close();
});

npmRegistry.it('MCP Inspector asks from the command line', async () => {
  const call = ['--method', 'tools/call', '--tool-name', 'ask', '--tool-arg'];
  const { stdout } = await run(
    process.execPath,
    [inspector, '--cli', mcpUrl, ...call, `question=${QUESTION}`, '--format', 'json'],
    { env: { ...environment, MCP_AUTO_OPEN_ENABLED: 'true' } },
  );
  expect(JSON.parse(stdout)).toMatchObject({ result: { structuredContent: { answer: ANSWER } } });
});

const inChromium = npmRegistry.and(tool('Chromium', hasChromium));

inChromium.it('MCP Inspector connects on its page', async () => {
  const [port, sandbox] = [await freePort(), await freePort()];
  const args = [inspector, '--web', '--transport', 'http', '--server-url', mcpUrl];
  const running = spawn(process.execPath, args, {
    env: {
      ...environment,
      ...{ MCP_AUTO_OPEN_ENABLED: 'false', CLIENT_PORT: String(port) },
      MCP_SANDBOX_PORT: String(sandbox),
    },
  });
  const chromium = await openBrowser();
  try {
    const page = await chromium.newPage();
    for await (const line of createInterface(running.stdout)) {
      const [address] = /http:\S+API_TOKEN=\S+/.exec(line) ?? [];
      if (address === undefined) continue;
      await page.goto(address);
      break;
    }
    // The switch itself is invisible, behind its picture.
    await page.getByRole('switch').click({ force: true });
    await page.getByLabel('API key').fill(key);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('Tools', { exact: true }).click();
    await page.getByText('ask', { exact: true }).waitFor();
  } finally {
    await chromium.close();
    running.kill();
  }
});

const python = join(folder, 'venv/bin/python');
const pip = [...['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:'], 'mcp', 'fastmcp'];
const hasPython =
  spawnSync('python3', ['-m', 'venv', join(folder, 'venv')]).status === 0 &&
  spawnSync(python, pip).status === 0;
const pythonRegistry = registry('Python’s registry', hasPython);

/** Runs a program that writes JSON in its last line. */
async function runPython(file: string, program: string): Promise<unknown> {
  writeFileSync(join(folder, file), program);
  const { stdout } = await run(python, [join(folder, file)], { env: environment });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

pythonRegistry.it('the Python SDK asks, and goes on when its token has expired', async () => {
  const program = `
import asyncio, json, os, subprocess, time
from urllib.parse import parse_qs, urlsplit
import httpx2
from mcp import ClientSession
from mcp.client.auth import OAuthClientProvider, TokenStorage
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
url = os.environ["MCP_URL"]
class Kept(TokenStorage):
    tokens = client = None
    async def get_tokens(self):
        return self.tokens
    async def set_tokens(self, tokens):
        self.tokens = tokens
    async def get_client_info(self):
        return self.client
    async def set_client_info(self, client):
        self.client = client
answers = asyncio.Queue()
async def listen(reader, writer):
    query = dict(parse_qs(urlsplit((await reader.readline()).decode().split()[1]).query))
    writer.write(b"HTTP/1.1 200 OK\\r\\ncontent-length: 0\\r\\nconnection: close\\r\\n\\r\\n")
    writer.close()
    await answers.put(AuthorizationCodeResult(**{name: query[name][0] for name in query}))
opened = []
async def open_browser(address):
    opened.append(address)
    subprocess.run([os.environ["BROWSER"], address], check=True)
async def main():
    server = await asyncio.start_server(listen, "127.0.0.1", 0)
    redirect = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/callback"
    kept = Kept()
    metadata = OAuthClientMetadata(client_name="Python", redirect_uris=[redirect])
    auth = OAuthClientProvider(url, metadata, kept, open_browser, answers.get)
    async def ask():
        async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
            async with streamable_http_client(url, http_client=http) as streams:
                async with ClientSession(*streams) as session:
                    await session.initialize()
                    asked = await session.call_tool("ask", {"question": os.environ["QUESTION"]})
                    return asked.structured_content["answer"], kept.tokens.access_token
    first, token = await ask()
    auth.context.token_expiry_time = time.time() - 1
    second, next_token = await ask()
    print(json.dumps([first, second, token == next_token, len(opened)]))
asyncio.run(main())`;
  expect(await runPython('ask_by_sdk.py', program)).toEqual([ANSWER, ANSWER, false, 1]);
});

pythonRegistry.it('fastmcp asks', async () => {
  const program = `
import asyncio, json, os
from fastmcp import Client
async def main():
    async with Client(os.environ["MCP_URL"], auth="oauth") as client:
        asked = await client.call_tool("ask", {"question": os.environ["QUESTION"]})
        print(json.dumps(asked.structured_content["answer"]))
asyncio.run(main())`;
  expect(await runPython('ask_by_fastmcp.py', program)).toBe(ANSWER);
});

it.each(['2025-11-25', '2026-07-28'])(
  'the official MCP conformance suite passes the authorization server, %s',
  async (version) => {
    const port = await freePort();
    const redirect_uris = [`http://127.0.0.1:${port}/callback`];
    const registered = await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Conformance', redirect_uris }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const subject = { issuer: url, resource: mcpUrl, clientId, port };
    const person = new FormBrowser(withApiKey(key));
    const scenarios = await runAuthorizationScenarios(subject, version, (address) =>
      person.walk(address),
    );
    const checks = [...scenarios].flatMap(([scenario, ran]) =>
      ran.map(({ id, status, errorMessage }) => [scenario, id, status, errorMessage]),
    );
    expect(checks.sort()).toEqual([
      ['authorization-code-grant', 'authorization-code-grant', 'SUCCESS', undefined],
      ...['authorization-server-metadata', 'authorization-server-metadata-cimd'].map((id) => [
        ...['authorization-server-metadata-endpoint', id, 'SUCCESS', undefined],
      ]),
    ]);
  },
);
