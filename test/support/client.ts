import { Connecting } from './connecting.js';
import type {
  Answer,
  ChatAnswer,
  ClientToken,
  Document,
  IssuedApiKey,
  IssuedWebhook,
  KnowledgeBase,
  Message,
  Page,
  Problem,
  QueryAnswer,
  WebhookDelivery,
} from './answers.js';
import { eventually, Service } from './service.js';
import { STALLED_MS } from './stalled.js';

export type * from './answers.js';

/** A JSON list as a header may hold it. */
const asciiJson = (value: readonly string[]) =>
  JSON.stringify(value).replaceAll(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** One agent for each service, since registrations of an address are limited. */
const agents = new Map<string, Promise<Connecting>>();

/**
 * A client of one service. With a user it acts for the dashboard, in the name of the groups too; without
 * one as a partner.
 */
export class Client {
  constructor(
    private readonly service: Pick<Service, 'url'>,
    private readonly userId?: string,
    private readonly groups?: readonly string[],
  ) {}

  /** `path` is below /api/v1. A string or bytes are sent as they are, anything else as JSON. */
  async call<T = Problem>(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.service.url}/api/v1${path}`, {
      method,
      headers: {
        ...(this.userId === undefined ? {} : { 'x-idp-user-id': this.userId }),
        ...(this.groups && { 'x-idp-groups': asciiJson(this.groups) }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : {
            body:
              typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
          }),
    });
    const text = await response.text();
    const json = /json/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      body: (json ? JSON.parse(text) : undefined) as T,
      text,
    };
  }

  get<T>(path: string): Promise<Answer<T>> {
    return this.call<T>('GET', path);
  }

  post<T>(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer<T>> {
    return this.call<T>('POST', path, body, headers);
  }

  async createKnowledgeBase(name = 'Handbook'): Promise<KnowledgeBase> {
    return created(await this.post<KnowledgeBase>('/kbs', { name }), 201);
  }

  async createApiKey(kbId: string, more: object = {}): Promise<IssuedApiKey> {
    const body = { name: 'Shop backend', environment: 'live', ...more };
    return created(await this.post<IssuedApiKey>(`/kbs/${kbId}/api-keys`, body), 201);
  }

  /** With a role in one knowledge base, or without any. */
  async createServiceAccount(kbId?: string, role = 'member'): Promise<{ id: string }> {
    const kbs = kbId === undefined ? [] : [{ kb_id: kbId, role }];
    return created(
      await this.post<{ id: string }>('/service-accounts', { name: 'Deployment', kbs }),
      201,
    );
  }

  async createManagementKey(id: string, scopes: readonly string[], more: object = {}) {
    const body = { name: 'CI', scopes, ...more };
    return created(await this.post<IssuedApiKey>(`/service-accounts/${id}/api-keys`, body), 201);
  }

  async createClientToken(apiKey: string, endUserId = 'customer-1'): Promise<ClientToken> {
    const body = { api_key: apiKey, end_user_id: endUserId };
    return created(await this.post<ClientToken>('/client-tokens', body), 201);
  }

  async createWebhook(kbId: string, url: string, ...events: string[]): Promise<IssuedWebhook> {
    const body = { url, events: events.length > 0 ? events : ['document.ready'] };
    return created(await this.post<IssuedWebhook>(`/kbs/${kbId}/webhooks`, body), 201);
  }

  async createEvaluation(kbId: string): Promise<{ id: string }> {
    const body = { questions: [{ question: 'May orders be returned?' }] };
    return created(await this.post<{ id: string }>(`/kbs/${kbId}/evaluations`, body), 202);
  }

  async createSource(kbId: string): Promise<{ id: string }> {
    const body = { type: 'folder', name: 'Docs', config: { path: '/srv/docs' } };
    return created(await this.post<{ id: string }>(`/kbs/${kbId}/sources`, body), 201);
  }

  async createAccessSet(kbId: string, rule: object = { allow: ['group:staff'] }) {
    const path = `/kbs/${kbId}/access-sets`;
    return created(await this.post<{ id: string }>(path, { name: 'Staff', ...rule }), 201);
  }

  async createTrustedIssuer(kbId: string): Promise<{ id: string }> {
    const body = { issuer: 'https://issuer.example.com', audience: 'kb', scopes: ['query'] };
    return created(await this.post<{ id: string }>(`/kbs/${kbId}/trusted-issuers`, body), 201);
  }

  /** A channel without the secrets of its app. */
  async createChannel(kbId: string): Promise<{ id: string }> {
    return created(
      await this.post<{ id: string }>(`/kbs/${kbId}/channels`, { name: 'Slack' }),
      201,
    );
  }

  async createInvitation(kbId: string): Promise<{ id: string }> {
    const body = { role: 'viewer' };
    return created(await this.post<{ id: string }>(`/kbs/${kbId}/invitations`, body), 201);
  }

  async createSite(kbId: string): Promise<{ id: string }> {
    const body = { name: 'Help centre', origins: ['https://shop.example.com'] };
    return created(await this.post<{ id: string }>(`/kbs/${kbId}/sites`, body), 201);
  }

  /** An agent that somebody has connected with a new key. */
  async createConnection(kbId: string): Promise<{ id: string }> {
    const key = await this.createApiKey(kbId);
    const { url } = this.service;
    const registered = agents.get(url) ?? Connecting.register(url);
    agents.set(url, registered);
    await new Connecting(url, (await registered).clientId).tokens(key.api_key);
    const path = `/api-keys/${key.id}/connections`;
    const [connection] = (await this.get<Page<{ id: string }>>(path)).body.data;
    if (!connection) throw new Error('There is no connection');
    return connection;
  }

  async createCuratedAnswer(kbId: string, more: object = {}): Promise<{ id: string }> {
    const body = { questions: ['May it rain on Sundays?'], answer: 'It may.', ...more };
    return created(await this.post<{ id: string }>(`/kbs/${kbId}/curated-answers`, body), 201);
  }

  /** The deliveries of a webhook, newest first. */
  async deliveries(webhookId: string): Promise<WebhookDelivery[]> {
    const path = `/webhooks/${webhookId}/deliveries?limit=100`;
    return (await this.get<Page<WebhookDelivery>>(path)).body.data;
  }

  /** Adds a document and waits until it is ready, or has failed. */
  async addDocument(kbId: string, document: object): Promise<Document> {
    const { id } = created(await this.post<Document>(`/kbs/${kbId}/documents`, document), 202);
    return this.readDocument(id);
  }

  /** Waits until a document is ready, or has failed. */
  async readDocument(id: string): Promise<Document> {
    let current: Document | undefined;
    await eventually(async () => {
      current = (await this.get<Document>(`/documents/${id}`)).body;
      return current.status === 'ready' || current.status === 'failed';
    });
    if (!current) throw new Error('unreachable');
    return current;
  }

  /** The messages of a conversation, oldest first. */
  async messages(conversationId: string): Promise<Message[]> {
    const path = `/conversations/${conversationId}/messages?limit=100`;
    return (await this.get<Page<Message>>(path)).body.data;
  }

  async set(kbId: string, settings: object): Promise<void> {
    const { status, text } = await this.call('PATCH', `/kbs/${kbId}/settings`, settings);
    if (status !== 200) throw new Error(`${status}: ${text}`);
  }

  query(apiKey: unknown, message: unknown, more: object = {}): Promise<Answer<QueryAnswer>> {
    return this.post<QueryAnswer>('/query', { api_key: apiKey, message, ...more });
  }

  chat(apiKey: unknown, message: unknown, more: object = {}): Promise<Answer<ChatAnswer>> {
    return this.post<ChatAnswer>('/chat', { api_key: apiKey, message, ...more });
  }
}

/** What an answer comes to: `200`, or `401 invalid_api_key`. */
export function outcome({ status, headers, body }: Answer<unknown>): string {
  if (status < 400) return String(status);
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json');
  const code = isProblem ? (body as Problem).code : codeInOtherForm(body);
  return `${status} ${code ?? 'without problem details'}`;
}

/** Asks again while a busy machine keeps its database waiting for longer than a service does. */
export class PatientClient extends Client {
  override async call<T = Problem>(...request: Parameters<Client['call']>): Promise<Answer<T>> {
    const began = performance.now();
    for (;;) {
      const answer = await super.call<T>(...request);
      const isRefused = outcome(answer) === '503 database_unavailable';
      if (!isRefused || performance.now() - began > STALLED_MS) return answer;
    }
  }
}

/** The code of a refusal as OpenAI's clients, Dify and oikb read it. */
function codeInOtherForm(body: unknown): string | undefined {
  const { error, error_msg, code } = (body ?? {}) as {
    error?: { code?: string };
    error_msg?: string;
    code?: string;
  };
  return error?.code ?? error_msg?.split(':')[0] ?? code;
}

/** How often each outcome came among many answers. */
export function outcomes(answers: readonly Answer<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) {
    counts[outcome(answer)] = (counts[outcome(answer)] ?? 0) + 1;
  }
  return counts;
}

/** Begins `count` calls at once and waits for all of them. */
export const atOnce = <T>(count: number, call: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index)));

/**
 * For more questions than a knowledge base may have waiting on a busy machine.
 *
 * @param parallel of the calls are made at once
 */
export async function inTurns<T>(
  count: number,
  parallel: number,
  call: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  while (results.length < count) {
    const begun = results.length;
    results.push(
      ...(await atOnce(Math.min(parallel, count - begun), (index) => call(begun + index))),
    );
  }
  return results;
}

const BUSY = ['429 knowledge_base_busy', '503 worker_unavailable'];
const BUSY_MS = 240_000;

/** The answer to a question, which is asked again while a busy machine gives none, or a part. */
export const askedUntilWhole = <T extends { partial?: boolean }>(ask: () => Promise<Answer<T>>) =>
  askedUntil(ask, (answer) => !BUSY.includes(outcome(answer)) && !answer.body.partial);

/** The answer to what is asked again while a busy machine has no time for it. */
export const askedUntilServed = <T extends { readonly status: number }>(ask: () => Promise<T>) =>
  askedUntil(ask, ({ status }) => status !== 503);

async function askedUntil<T>(ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  let answer = await ask();
  if (holds(answer)) return answer;
  await eventually(async () => holds((answer = await ask())), BUSY_MS);
  return answer;
}

export function created<T>(answer: Answer<T>, status: number): T {
  if (answer.status !== status) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}
