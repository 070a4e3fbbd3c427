import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call of Slack's Web API, or a reply to a command. */
export interface SlackCall {
  readonly method: string;
  readonly token: string | undefined;
  readonly body: SlackBody;
}

export interface SlackBody {
  readonly channel?: string;
  readonly thread_ts?: string;
  readonly ts?: string;
  readonly user?: string;
  readonly text?: string;
  readonly response_type?: string;
  readonly blocks?: readonly SlackBlock[];
}

interface SlackText {
  readonly type: string;
  readonly text: string;
  readonly verbatim?: boolean;
}

export interface SlackBlock {
  readonly type: string;
  readonly text?: SlackText;
  readonly elements?: readonly SlackText[];
}

/** What is answered in place of the usual: a status with headers, or an error of Slack's. */
export type SlackFault =
  | { readonly status: number; readonly headers?: Record<string, string> }
  | { readonly error: string };

/** The methods to which parameters can be sent as JSON. */
const TAKES_JSON = /^(?:chat\.|commands$)/;

export const WORKSPACE = 'T061EG9R6';
export const BOT = 'U0LAN0Z89';
export const BOT_TOKEN = ['xoxb', '061', 'aBcDeF123456'].join('-');

/** The users of the workspace, as users.info has them. */
const USERS: Readonly<Record<string, object>> = {
  UANNA: { team_id: WORKSPACE, profile: { email: 'Anna@Shop.example' } },
  UBEN: { team_id: WORKSPACE, profile: { email: 'ben@shop.example' } },
  UGUEST: { team_id: WORKSPACE, is_restricted: true, profile: { email: 'anna@shop.example' } },
  UOTHER: { team_id: 'T0THER', is_stranger: true, profile: { email: 'anna@shop.example' } },
  // The sign for kelvin, which is a k in lower case.
  UKELVIN: { team_id: WORKSPACE, profile: { email: '\u212Aim@shop.example' } },
  UCARL: { team_id: WORKSPACE, profile: { email: 'carl@shop.example' } },
  UNOMAIL: { team_id: WORKSPACE, profile: {} },
};

/**
 * Speaks Slack's Web API on loopback, as it is documented: always 200 with `ok`, except for limits and failures.
 */
export class SlackServer {
  readonly calls: SlackCall[] = [];
  /** The faults of the next calls, by method. */
  readonly faults = new Map<string, SlackFault[]>();
  /** What messages wait for before they are posted. */
  held: Promise<void> | undefined;
  private messages = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<SlackServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const slack = new SlackServer(server, `http://127.0.0.1:${port}/api`);
    server.on('request', (request, response) => void slack.answer(request, response));
    return slack;
  }

  get replyUrl(): string {
    return this.url.replace('/api', '/commands/1/2');
  }

  of(method: string): SlackBody[] {
    return this.calls.filter((call) => call.method === method).map(({ body }) => body);
  }

  /** The messages in a thread, also those that could not be posted. */
  in(thread: string): SlackBody[] {
    return this.of('chat.postMessage').filter((body) => body.thread_ts === thread);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request;
    const method = url.replace(/^\/(?:api\/)?/, '').split('/')[0] ?? '';
    const token = headers.authorization?.replace('Bearer ', '');
    const sent = await text(request);
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    const fields: unknown = isForm
      ? Object.fromEntries(new URLSearchParams(sent))
      : JSON.parse(sent);
    // Methods that read take no JSON: Slack drops its parameters without a word.
    const body = (isForm || TAKES_JSON.test(method) ? fields : {}) as SlackBody;
    this.calls.push({ method, token, body });
    if (method === 'chat.postMessage') await this.held;
    const fault = this.faults.get(method)?.shift();
    if (fault && 'status' in fault) {
      response.writeHead(fault.status, fault.headers).end('not JSON');
      return;
    }
    if (method === 'commands') {
      response.end('ok');
      return;
    }
    const known = token === BOT_TOKEN;
    const error = fault?.error ?? (known ? undefined : 'invalid_auth');
    const answer =
      error === undefined ? { ok: true, ...this.perform(method, body) } : { ok: false, error };
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify(answer));
  }

  private perform(method: string, { user = '', channel, ts }: SlackBody): object {
    switch (method) {
      case 'auth.test':
        return { team: 'The shop', team_id: WORKSPACE, user_id: BOT, bot_id: 'B0LAN0Z89' };
      case 'users.info':
        return USERS[user]
          ? { user: { id: user, ...USERS[user] } }
          : { ok: false, error: 'user_not_found' };
      case 'chat.postMessage':
        return { channel, ts: answerTime(this.messages++) };
      case 'chat.update':
        return { channel, ts };
      default:
        return { ok: false, error: 'unknown_method' };
    }
  }
}

/** The times of the messages that the server is sent, in order. */
export const answerTime = (index: number): string => `1800000000.${String(index).padStart(6, '0')}`;

/** The headers with which Slack signs a body. */
export function signSlack(body: string, secret: string, at = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const mac = createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${mac}` };
}
