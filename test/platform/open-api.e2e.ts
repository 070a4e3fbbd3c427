import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Client } from '../support/client.js';
import {
  documentedOperations,
  openApiDocument,
  type OpenApiDocument,
  type Operation,
} from '../support/operations.js';
import { hostileRequests, type RawRequest, validRequests } from '../support/request-arbitraries.js';
import { repetitions } from '../support/repetitions.js';
import { type RawAnswer, ResponseContract } from '../support/response-contract.js';
import type { RequestSource } from '../support/schema-arbitraries.js';
import { Service } from '../support/service.js';

const VALID_REQUESTS = repetitions(10, 20);
const HOSTILE_REQUESTS = repetitions(5, 50);
/** How many operations are asked at the same time: one after another they take minutes. */
const LANES = 4;
const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const QUESTION = 'How long may customers return an order?';

describe('the OpenAPI document', () => {
  let service: Service;
  let document: OpenApiDocument;
  let contract: ResponseContract;
  let operations: Operation[];
  let alice: Client;
  let agent: Agent;

  beforeAll(async () => {
    service = await Service.start({
      NODE_OPTIONS: '--import=./test/support/observe.mjs',
      SECURITY_CONTACT: 'mailto:security@example.com',
    });
    document = await openApiDocument(service);
    contract = new ResponseContract(document);
    operations = await documentedOperations(service);
    alice = new Client(service, 'alice');
    agent = new Agent({ keepAlive: true });
  });

  afterAll(async () => {
    agent.destroy();
    await service.stop();
  });

  async function furnish(owner: Client) {
    const kb = await owner.createKnowledgeBase();
    await owner.call('PUT', `/kbs/${kb.id}/members/bob`, { role: 'member' });
    const { id: documentId } = await owner.addDocument(kb.id, {
      ...DOCUMENT,
      external_id: 'returns',
    });
    const scopes = ['query', 'chat', 'feedback', 'documents:read', 'documents:write'];
    const key = await owner.createApiKey(kb.id, {
      scopes,
      self_rotation: { grace_seconds: 3600 },
    });
    const { body: chat } = await new Client(service).chat(key.api_key, QUESTION);
    const webhook = await owner.createWebhook(kb.id, 'https://receiver.invalid/hook');
    const evaluation = await owner.createEvaluation(kb.id);
    const source = await owner.createSource(kb.id);
    const accessSet = await owner.createAccessSet(kb.id);
    const curated = await owner.createCuratedAnswer(kb.id);
    const { body: delivery } = await owner.call<{ id: string }>(
      'POST',
      `/webhooks/${webhook.id}/test`,
    );
    return {
      secret: key.api_key,
      ids: {
        kb_id: kb.id,
        key_id: key.id,
        document_id: documentId,
        conversation_id: chat.conversation_id,
        message_id: chat.message_id,
        external_id: 'returns',
        version: '1',
        webhook_id: webhook.id,
        evaluation_id: evaluation.id,
        delivery_id: delivery.id,
        source_id: source.id,
        access_set_id: accessSet.id,
        trust_id: (await owner.createTrustedIssuer(kb.id)).id,
        channel_id: (await owner.createChannel(kb.id)).id,
        site_id: (await owner.createSite(kb.id)).id,
        invitation_id: (await owner.createInvitation(kb.id)).id,
        connection_id: (await owner.createConnection(kb.id)).id,
        curated_answer_id: curated.id,
        sa_id: (await owner.createServiceAccount(kb.id)).id,
        user_id: 'bob',
        model: 'latchkey',
      },
    };
  }

  async function send({ method, path, headers, body }: RawRequest): Promise<RawAnswer> {
    const { hostname, port } = new URL(service.url);
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const outgoing = request({
      ...{ agent, hostname, port, method, path },
      headers: { ...headers, ...(bytes && { 'content-length': bytes.length }) },
    });
    outgoing.end(bytes);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers['content-type'] ?? '',
      text: await text(response),
    };
  }

  /** Sends a request to an operation and throws where the answer is none that is documented. */
  async function probe(operation: Operation, request: RawRequest): Promise<RawAnswer> {
    const answer = await send(request);
    const described = document.paths[operation.path]?.[operation.method.toLowerCase()];
    if (!described) throw new Error('unreachable');
    const violation =
      answer.status >= 500
        ? `${answer.status}: ${answer.text}`
        : contract.violation(described, answer);
    if (violation !== undefined) throw new Error(`${operation.name}: ${violation}`);
    return answer;
  }

  it('has every route of the router, and no others', () => {
    const routes = [...service.logs.matchAll(/^route (\S+) (\S+)$/gm)]
      .map(
        ([, method = '', url = '']) =>
          `${method} ${url.replace(/:(\w+)/g, '{$1}').replace(/(.)\/$/, '$1')}`,
      )
      .filter(
        (route) =>
          !/^(HEAD|OPTIONS) |^GET \/(console\b|docs\b|openapi\b|\.well-known\/oauth|$)/.test(route),
      )
      // SCIM has schemas of its own, which it answers itself; OAuth is described by its metadata, and what the portal
      // calls is for its page. So are the files of the widget. What Slack calls is described by Slack.
      .filter((route) => !/^[A-Z]+ \/(?:scim|oauth|portal|s|widget\.js)(?:\/|$)/.test(route))
      .filter((route) => !/\/channels\/\{channel_id\}\/(?:events|commands)$/.test(route));
    expect([...new Set(routes)].sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it('tells the form of every answer, whatever is sent', async () => {
    const foreign = await furnish(alice);
    const foreignPaths = [
      `/kbs/${foreign.ids.kb_id}`,
      ...['members', 'documents', 'conversations', 'audit-events', 'api-keys'].map(
        (list) => `/kbs/${foreign.ids.kb_id}/${list}`,
      ),
      `/conversations/${foreign.ids.conversation_id}/messages`,
      `/documents/${foreign.ids.document_id}/chunks`,
    ];
    const foreignData = async () =>
      (await Promise.all(foreignPaths.map((path) => alice.get(path)))).map(({ text: json }) =>
        // It is written down some seconds after the use.
        json.replace(/"last_used_at":"[^"]*"/g, ''),
      );
    const before = await foreignData();

    // What is only read is furnished once.
    const read = await furnish(new Client(service, 'mallory'));
    const probeAll = async (index: number, operation: Operation) => {
      const isRead = operation.method === 'GET';
      // What a user may ask in a minute is limited, over all operations of the playground.
      const userId = isRead ? 'mallory' : `mallory-${index}`;
      const source: RequestSource = {
        ...{ document, operation, userId, foreignIds: foreign.ids },
        ...(isRead ? read : await furnish(new Client(service, userId))),
      };
      let succeeded = 0;
      const { requestBody } =
        document.paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
      // The requests have no files; the test of the examples uploads some.
      const takesFilesOnly =
        requestBody !== undefined && !('application/json' in requestBody.content);
      await fc.assert(
        fc.asyncProperty(validRequests(source), async (valid) => {
          const answer = await probe(operation, valid);
          if (answer.status < 300) succeeded++;
          if (!takesFilesOnly && /\bvalidation_failed\b/.test(answer.text)) {
            throw new Error(`${operation.name} refuses what it documents: ${answer.text}`);
          }
        }),
        { numRuns: VALID_REQUESTS },
      );
      // Only GitHub can sign, only the pages of a site send its origin, and nobody guesses an invitation.
      const unknown = /\/(?:github|visitors|invitations\/(?:preview|accept))$/;
      const canSucceed = !unknown.test(operation.path) && !takesFilesOnly;
      expect([operation.name, succeeded > 0]).toEqual([operation.name, canSucceed]);
      await fc.assert(
        fc.asyncProperty(hostileRequests(source), async (hostile) => {
          const answer = await probe(operation, hostile);
          const isForeign = Object.values(foreign.ids).some(
            (id) => !['bob', 'returns', 'latchkey', '1'].includes(id) && hostile.path.includes(id),
          );
          // Anybody may visit a site.
          const isOpen = /\/sites\/\{site_id\}\/(?:view|challenge)$/.test(operation.path);
          if (isForeign && !isOpen && answer.status < 400)
            throw new Error(`${operation.name} is reachable`);
        }),
        { numRuns: HOSTILE_REQUESTS },
      );
    };
    const waiting = operations.entries();
    const lane = async () => {
      for (const [index, operation] of waiting) await probeAll(index, operation);
    };
    await Promise.all(Array.from({ length: LANES }, lane));

    expect(await foreignData()).toEqual(before);
    await service.stop();
    expect(service.logs).toContain('gained by Object.prototype: nothing');
  });
});
