import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request as requestOf, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';

const COMMAND = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';

export interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/** By the name of a tool that only the suite's own server has: the call that replaces its call. */
export type Calls = Readonly<Record<string, { name: string; arguments: object }>>;

/** Runs all server scenarios of a version of the protocol. @returns the checks of each scenario */
export async function runServerScenarios(
  url: string,
  version: string,
): Promise<Map<string, readonly Check[]>> {
  const directory = newDirectory();
  const suite = ['server', '--suite', 'all', '--spec-version', version];
  // It exits with 1 if any check fails; the checks say which.
  await new Promise((resolve) => {
    execFile(process.execPath, [COMMAND, ...suite, '--url', url, '-o', directory], resolve);
  });
  return readChecks(directory, /^server-(.*)-\d{4}-\d\d-\d\dT.*$/);
}

/** An authorization server, and a client of it that is sent back to the port of a loopback address. */
export interface AuthorizationSubject {
  readonly issuer: string;
  readonly resource: string;
  readonly clientId: string;
  readonly port: number;
}

/**
 * Runs all scenarios of authorization servers of a version of the protocol.
 *
 * @param openPage stands for the person, who opens the address
 * @returns the checks of each scenario
 */
export async function runAuthorizationScenarios(
  { issuer, resource, clientId, port }: AuthorizationSubject,
  version: string,
  openPage: (address: URL) => Promise<unknown>,
): Promise<Map<string, readonly Check[]>> {
  const directory = newDirectory();
  const suite = ['authorization', '--spec-version', version, '--url', issuer, '-o', directory];
  const client = ['--client-id', clientId, '--resource', resource, '--port', String(port)];
  const child = spawn(process.execPath, [COMMAND, ...suite, ...client]);
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith(`${issuer}/`)) await openPage(new URL(line));
  }
  await ended;
  return readChecks(directory, /^authorization-server-(.*)-\d{4}-\d\d-\d\dT.*$/);
}

const newDirectory = () => mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'mcp-'));

function readChecks(directory: string, folderName: RegExp): Map<string, readonly Check[]> {
  const scenarios = readdirSync(directory).map((folder): [string, readonly Check[]] => {
    const checks = readFileSync(join(directory, folder, 'checks.json'), 'utf8');
    return [folder.replace(folderName, '$1'), JSON.parse(checks) as Check[]];
  });
  return new Map(scenarios);
}

/** Adds the credential, which the suite cannot send, and replaces calls. */
export class McpProxy {
  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async start(service: string, apiKey: string, calls: Calls): Promise<McpProxy> {
    const server = createServer((incoming, response) => {
      void bodyOf(incoming, calls).then(({ headers, body }) => {
        const outgoing = requestOf(service + (incoming.url ?? '/'), {
          ...(incoming.method !== undefined && { method: incoming.method }),
          headers: { ...headers, authorization: `Bearer ${apiKey}` },
        });
        outgoing.on('response', (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
        outgoing.end(body);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new McpProxy(`http://127.0.0.1:${port}/mcp`, server);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

async function bodyOf(incoming: IncomingMessage, calls: Calls) {
  const { 'content-length': _, ...headers } = incoming.headers;
  if (incoming.method !== 'POST') return { headers, body: '' };
  const message = (await json(incoming)) as { params?: { name?: string } };
  const { params } = message;
  const call = calls[params?.name ?? ''];
  if (!call) return { headers, body: JSON.stringify(message) };
  return {
    headers: { ...headers, ...(headers['mcp-name'] !== undefined && { 'mcp-name': call.name }) },
    body: JSON.stringify({ ...message, params: { ...params, ...call } }),
  };
}
