import { typeid } from 'typeid-js';
import type { Client } from './client.js';
import type { Operation } from './operations.js';
import { newUserId } from './shared-service.js';

export const SCOPES = ['query', 'chat', 'feedback', 'documents:read', 'documents:write'] as const;

/** Ids by the name of their path parameter. */
export type Ids = Readonly<Record<string, string>>;

/** What may be in a knowledge base, and the operations that want it there. */
const PARTS = {
  document: /document|ingest|index|evaluation|query|chat|^\/(?:mcp|v1|dify)\b/,
  conversation: /conversation|message|chat/,
  webhook: /webhook/,
  source: /source/,
  access_set: /access-set/,
  trust: /trusted-issuer/,
  channel: /channel/,
  site: /site/,
  invitation: /invitations\/\{/,
  connection: /connection/,
  curated_answer: /curated-answer/,
  evaluation: /evaluation/,
  serviceAccount: /service-accounts/,
};

/** A knowledge base with what an operation wants in it, or one of everything. */
export interface Tenant {
  readonly ids: Ids;
  readonly secret: string;
}

/** Well-formed ids of nothing at all. */
export const absentIds = (userId: string): Ids => ({
  kb_id: typeid('kb').toString(),
  key_id: typeid('key').toString(),
  document_id: typeid('doc').toString(),
  conversation_id: typeid('conv').toString(),
  message_id: typeid('msg').toString(),
  external_id: newUserId('absent'),
  webhook_id: typeid('wh').toString(),
  evaluation_id: typeid('eval').toString(),
  delivery_id: typeid('whd').toString(),
  source_id: typeid('src').toString(),
  access_set_id: typeid('as').toString(),
  trust_id: typeid('trust').toString(),
  channel_id: typeid('chan').toString(),
  site_id: typeid('site').toString(),
  invitation_id: typeid('inv').toString(),
  connection_id: typeid('conn').toString(),
  curated_answer_id: typeid('cur').toString(),
  sa_id: typeid('sa').toString(),
  user_id: userId,
  model: 'nothing',
  version: '1',
});

/** Malformed ids. They must be answered like the ids of others, so that a stranger learns nothing. */
export const malformedIds = (userId: string): Ids => ({
  kb_id: 'kb_nonsense',
  key_id: 'key_01KAFDP6YGF4RS4S2CR5CVZWKC',
  document_id: 'kb_01kafdp6ygf4rs4s2cr5cvzwkc',
  conversation_id: '00000000-0000-0000-0000-000000000000',
  message_id: '%00',
  external_id: 'no such document',
  webhook_id: 'whd_01kafdp6ygf4rs4s2cr5cvzwkc',
  evaluation_id: 'eval_',
  delivery_id: 'wh_01kafdp6ygf4rs4s2cr5cvzwkc',
  source_id: 'src_',
  access_set_id: 'as_01KAFDP6YGF4RS4S2CR5CVZWKC',
  trust_id: 'trust_',
  channel_id: 'chan_',
  site_id: 'site_',
  invitation_id: 'inv_',
  connection_id: 'conn_',
  curated_answer_id: 'cur_',
  sa_id: 'kb_01kafdp6ygf4rs4s2cr5cvzwkc',
  user_id: userId,
  model: 'no such model',
  version: '0',
});

export interface TenantOptions {
  readonly owner: Client;
  readonly partner: Client;
  readonly member: string;
  readonly viewer: string;
  /** The rule of its document. */
  readonly access?: object;
}

/** Reserved: nobody has this name. */
const RECEIVER = 'https://receiver.invalid/hook';
const DOCUMENT = { title: 'Returns', text: 'Customers may return any order within 30 days.' };
const QUESTION = 'How long may customers return an order?';

/** A knowledge base of `owner` with what the operation wants in it. */
export async function createTenant(
  { owner, partner, member, viewer, access }: TenantOptions,
  operation?: Operation,
): Promise<Tenant> {
  const has = (part: keyof typeof PARTS) => !operation || PARTS[part].test(operation.path);
  const kb = await owner.createKnowledgeBase();
  await owner.call('PUT', `/kbs/${kb.id}/members/${member}`, { role: 'member' });
  await owner.call('PUT', `/kbs/${kb.id}/members/${viewer}`, { role: 'viewer' });
  const other = newUserId('other');
  await owner.call('PUT', `/kbs/${kb.id}/members/${other}`, { role: 'member' });
  const key = await owner.createApiKey(kb.id, { scopes: SCOPES });
  const ids: Record<string, string> = { kb_id: kb.id, key_id: key.id };
  if (has('document')) {
    const externalId = newUserId('policies/returns');
    const fields = { external_id: externalId, ...(access && { access }) };
    const document = await owner.addDocument(kb.id, { ...DOCUMENT, ...fields });
    ids['document_id'] = document.id;
    ids['external_id'] = encodeURIComponent(externalId);
  }
  if (has('conversation')) {
    const { body: chat } = await partner.chat(key.api_key, QUESTION);
    ids['conversation_id'] = chat.conversation_id;
    ids['message_id'] = chat.message_id;
  }
  if (has('webhook')) {
    const webhook = await owner.createWebhook(kb.id, RECEIVER, 'document.failed');
    const path = `/webhooks/${webhook.id}/test`;
    ids['webhook_id'] = webhook.id;
    ids['delivery_id'] = (await owner.post<{ id: string }>(path, undefined)).body.id;
  }
  if (has('source')) ids['source_id'] = (await owner.createSource(kb.id)).id;
  if (has('access_set')) ids['access_set_id'] = (await owner.createAccessSet(kb.id)).id;
  if (has('trust')) ids['trust_id'] = (await owner.createTrustedIssuer(kb.id)).id;
  if (has('channel')) ids['channel_id'] = (await owner.createChannel(kb.id)).id;
  if (has('invitation')) ids['invitation_id'] = (await owner.createInvitation(kb.id)).id;
  if (has('site')) ids['site_id'] = (await owner.createSite(kb.id)).id;
  if (has('connection')) ids['connection_id'] = (await owner.createConnection(kb.id)).id;
  if (has('curated_answer')) {
    ids['curated_answer_id'] = (await owner.createCuratedAnswer(kb.id)).id;
  }
  if (has('serviceAccount')) ids['sa_id'] = (await owner.createServiceAccount(kb.id)).id;
  if (has('evaluation')) ids['evaluation_id'] = (await owner.createEvaluation(kb.id)).id;
  return { ids: { ...ids, user_id: other, model: 'latchkey', version: '1' }, secret: key.api_key };
}
