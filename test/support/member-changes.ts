import type { Answer, Client, Page } from './client.js';
import {
  attemptedDelivery,
  converse,
  deliveriesOf,
  newDocument,
  newKey,
  newWebhook,
  RECEIVER,
} from './change-subjects.js';

/** A change that a member tries to make, while an owner ends their membership. */
export interface Change {
  /** Operations of the OpenAPI document that it stands for. */
  readonly operation: string;
  readonly what?: string;
  readonly ownersOnly?: boolean;
  /** Makes what call `index` changes. */
  readonly prepare?: (alice: Client, kbId: string, index: number) => Promise<string>;
  /** What a refused call leaves as it was, where the background changes what others made. */
  readonly stateOf?: (alice: Client, kbId: string, id: string) => Promise<unknown>;
  readonly call: (bob: Caller, kbId: string, id: string, index: number) => Promise<Answer<unknown>>;
}

/** Sends a request in the member’s name. */
export type Caller = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<unknown>>;

function multipart(fields: Record<string, string>, file: string): [Buffer, Record<string, string>] {
  const boundary = 'removed-members';
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  parts.push(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${file}\r\n--${boundary}--\r\n`,
  );
  return [
    Buffer.from(parts.join('')),
    { 'content-type': `multipart/form-data; boundary=${boundary}` },
  ];
}

const newSource = async (alice: Client, kbId: string) => (await alice.createSource(kbId)).id;

/** The paths of Open WebUI, seen from /api/v1. */
const OIKB = '/../../open-webui/api/v1';

export const MEMBER_CHANGES: readonly Change[] = [
  {
    operation: 'POST /open-webui/files',
    call: (bob, kbId, _, index) => {
      const metadata = JSON.stringify({ knowledge_id: kbId, file_hash: String(index) });
      const [body, headers] = multipart({ metadata }, `File by Bob ${index}.`);
      return bob('POST', `${OIKB}/files`, body, headers);
    },
  },
  ...[
    ['sync/diff', { manifest: [] }] as const,
    ['sync/cleanup', { file_ids: [] }] as const,
    ['dirs/create', { name: 'by-bob' }] as const,
    ['reset', {}] as const,
  ].map(([path, body]) => ({
    operation: `POST /open-webui/knowledge/{kb_id}/${path}`,
    call: (bob: Caller, kbId: string) => bob('POST', `${OIKB}/knowledge/${kbId}/${path}`, body),
  })),
  // Far from the others that count as questions of a playground, which takes 60 a minute.
  {
    operation: 'POST /kbs/{kb_id}/gaps/ask',
    call: (bob, kbId) => bob('POST', `/kbs/${kbId}/gaps/ask`, { question: 'Is anybody there?' }),
  },
  {
    operation: 'POST /service-accounts',
    ownersOnly: true,
    call: (bob, kbId, _, index) =>
      bob('POST', '/service-accounts', {
        name: `By Bob ${index}`,
        kbs: [{ kb_id: kbId, role: 'viewer' }],
      }),
  },
  {
    operation: 'PATCH /kbs/{kb_id}',
    call: (bob, kbId, _, index) => bob('PATCH', `/kbs/${kbId}`, { name: `By Bob ${index}` }),
  },
  {
    operation: 'PUT /kbs/{kb_id}/members/{user_id}',
    ownersOnly: true,
    call: (bob, kbId, _, index) =>
      bob('PUT', `/kbs/${kbId}/members/carol-${index}`, { role: 'owner' }),
  },
  {
    operation: 'PUT /kbs/{kb_id}/members/{user_id}',
    what: 'of oneself',
    ownersOnly: true,
    call: (bob, kbId) => bob('PUT', `/kbs/${kbId}/members/bob`, { role: 'owner' }),
  },
  {
    operation: 'DELETE /kbs/{kb_id}/members/{user_id}',
    ownersOnly: true,
    prepare: async (alice, kbId, index) => {
      await alice.call('PUT', `/kbs/${kbId}/members/carol-${index}`, { role: 'member' });
      return `carol-${index}`;
    },
    call: (bob, kbId, id) => bob('DELETE', `/kbs/${kbId}/members/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/invitations',
    ownersOnly: true,
    call: (bob, kbId) => bob('POST', `/kbs/${kbId}/invitations`, { role: 'owner' }),
  },
  {
    operation: 'DELETE /invitations/{invitation_id}',
    ownersOnly: true,
    prepare: async (alice, kbId) => (await alice.createInvitation(kbId)).id,
    call: (bob, _, id) => bob('DELETE', `/invitations/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/api-keys',
    call: (bob, kbId) =>
      bob('POST', `/kbs/${kbId}/api-keys`, { name: 'By Bob', environment: 'live' }),
  },
  {
    operation: 'POST /kbs/{kb_id}/api-keys',
    what: 'with an Idempotency-Key',
    call: (bob, kbId) =>
      bob(
        'POST',
        `/kbs/${kbId}/api-keys`,
        { name: 'By Bob', environment: 'live' },
        { 'idempotency-key': `${kbId}-once` },
      ),
  },
  {
    operation: 'POST /api-keys',
    call: (bob, kbId) =>
      bob('POST', '/api-keys', { name: 'By Bob', environment: 'live', kbs: [{ kb_id: kbId }] }),
  },
  {
    operation: 'DELETE /kbs/{kb_id}/api-keys/{key_id}',
    ownersOnly: true,
    prepare: newKey,
    call: (bob, kbId, id) => bob('DELETE', `/kbs/${kbId}/api-keys/${id}`),
  },
  {
    operation: 'PATCH /api-keys/{key_id}',
    prepare: newKey,
    call: (bob, _, id) => bob('PATCH', `/api-keys/${id}`, { name: 'By Bob' }),
  },
  {
    operation: 'PATCH /api-keys/{key_id}/revoke',
    prepare: newKey,
    call: (bob, _, id) => bob('PATCH', `/api-keys/${id}/revoke`),
  },
  {
    operation: 'POST /api-keys/{key_id}/rotate',
    prepare: newKey,
    call: (bob, _, id) => bob('POST', `/api-keys/${id}/rotate`, {}),
  },
  {
    operation: 'POST /api-keys/{key_id}/portal-links',
    prepare: newKey,
    call: (bob, _, id) => bob('POST', `/api-keys/${id}/portal-links`, {}),
  },
  {
    operation: 'DELETE /api-keys/{key_id}',
    prepare: newKey,
    call: (bob, _, id) => bob('DELETE', `/api-keys/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/documents',
    call: (bob, kbId, _, index) =>
      bob('POST', `/kbs/${kbId}/documents`, { title: 'By Bob', text: `Text by Bob ${index}.` }),
  },
  {
    operation: 'POST /kbs/{kb_id}/documents',
    what: 'as a file',
    call: (bob, kbId, _, index) => {
      const [body, headers] = multipart({ title: 'By Bob' }, `File by Bob ${index}.`);
      return bob('POST', `/kbs/${kbId}/documents`, body, headers);
    },
  },
  {
    operation: 'POST /kbs/{kb_id}/documents',
    what: 'in place of another',
    prepare: newDocument,
    call: (bob, kbId, _, index) =>
      bob('POST', `/kbs/${kbId}/documents`, {
        title: 'By Bob',
        text: `Text by Bob ${index}.`,
        external_id: `ext-${index}`,
        on_duplicate: 'replace',
      }),
  },
  {
    operation: 'POST /kbs/{kb_id}/documents',
    what: 'unless there is one',
    call: (bob, kbId, _, index) =>
      bob('POST', `/kbs/${kbId}/documents`, {
        title: 'By Bob',
        text: `Text by Bob ${index}.`,
        external_id: `ext-${index}`,
        on_duplicate: 'skip',
      }),
  },
  {
    operation: 'PATCH /documents/{document_id}',
    prepare: newDocument,
    call: (bob, _, id) => bob('PATCH', `/documents/${id}`, { title: 'By Bob' }),
  },
  {
    operation: 'PUT /documents/{document_id}/content',
    prepare: newDocument,
    call: (bob, _, id) => bob('PUT', `/documents/${id}/content`, { text: 'By Bob.' }),
  },
  {
    operation: 'POST /documents/{document_id}/reindex',
    prepare: newDocument,
    call: (bob, _, id) => bob('POST', `/documents/${id}/reindex`),
  },
  {
    operation: 'POST /documents/{document_id}/versions/{version}/restore',
    prepare: newDocument,
    call: (bob, _, id) => bob('POST', `/documents/${id}/versions/1/restore`),
  },
  {
    operation: 'DELETE /documents/{document_id}',
    prepare: newDocument,
    call: (bob, _, id) => bob('DELETE', `/documents/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/reindex',
    call: (bob, kbId) => bob('POST', `/kbs/${kbId}/reindex`),
  },
  {
    operation: 'PATCH /kbs/{kb_id}/settings',
    call: (bob, kbId, _, index) => bob('PATCH', `/kbs/${kbId}/settings`, { top_k: index + 1 }),
  },
  {
    operation: 'DELETE /conversations/{conversation_id}',
    prepare: converse,
    call: (bob, _, id) => bob('DELETE', `/conversations/${id}`),
  },
  {
    operation: 'DELETE /kbs/{kb_id}/conversations',
    prepare: converse,
    call: (bob, kbId, _, index) =>
      bob('DELETE', `/kbs/${kbId}/conversations?end_user_id=user-${index}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/webhooks',
    call: (bob, kbId) =>
      bob('POST', `/kbs/${kbId}/webhooks`, { url: RECEIVER, events: ['document.ready'] }),
  },
  {
    operation: 'PATCH /webhooks/{webhook_id}',
    prepare: newWebhook,
    call: (bob, _, id) => bob('PATCH', `/webhooks/${id}`, { state: 'deactivated' }),
  },
  {
    operation: 'POST /webhooks/{webhook_id}/rotate-secret',
    prepare: newWebhook,
    call: (bob, _, id) => bob('POST', `/webhooks/${id}/rotate-secret`),
  },
  {
    operation: 'POST /webhooks/{webhook_id}/test',
    prepare: newWebhook,
    call: (bob, _, id) => bob('POST', `/webhooks/${id}/test`),
  },
  {
    operation: 'POST /webhook-deliveries/{delivery_id}/redeliver',
    prepare: attemptedDelivery,
    stateOf: async (alice, kbId, id) =>
      (await deliveriesOf(alice, kbId)).find((delivery) => delivery.id === id),
    call: (bob, _, id) => bob('POST', `/webhook-deliveries/${id}/redeliver`),
  },
  {
    operation: 'DELETE /webhooks/{webhook_id}',
    prepare: newWebhook,
    call: (bob, _, id) => bob('DELETE', `/webhooks/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/evaluations',
    call: (bob, kbId, _, index) =>
      bob('POST', `/kbs/${kbId}/evaluations`, {
        name: `By Bob ${index}`,
        questions: [{ question: 'Is anybody there?' }],
      }),
  },
  {
    operation: 'DELETE /evaluations/{evaluation_id}',
    prepare: async (alice, kbId) => (await alice.createEvaluation(kbId)).id,
    call: (bob, _, id) => bob('DELETE', `/evaluations/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/sources',
    call: (bob, kbId) =>
      bob('POST', `/kbs/${kbId}/sources`, {
        ...{ type: 'folder', name: 'By Bob', config: { path: '/srv/docs' } },
      }),
  },
  {
    operation: 'PATCH /sources/{source_id}',
    prepare: newSource,
    call: (bob, _, id) => bob('PATCH', `/sources/${id}`, { name: 'By Bob' }),
  },
  {
    operation: 'DELETE /sources/{source_id}',
    prepare: newSource,
    call: (bob, _, id) => bob('DELETE', `/sources/${id}`),
  },
  {
    operation: 'POST /sources/{source_id}/run',
    prepare: newSource,
    stateOf: async (alice, _, id) =>
      (await alice.get<Page<{ id: string }>>(`/sources/${id}/runs`)).body.data.map((run) => run.id),
    call: (bob, _, id) => bob('POST', `/sources/${id}/run`),
  },
  {
    operation: 'POST /kbs/{kb_id}/access-sets',
    call: (bob, kbId) =>
      bob('POST', `/kbs/${kbId}/access-sets`, { name: 'By Bob', allow: ['user:bob'] }),
  },
  {
    operation: 'PATCH /access-sets/{access_set_id}',
    prepare: async (alice, kbId) => (await alice.createAccessSet(kbId)).id,
    call: (bob, _, id) => bob('PATCH', `/access-sets/${id}`, { allow: ['user:bob'] }),
  },
  {
    operation: 'DELETE /access-sets/{access_set_id}',
    prepare: async (alice, kbId) => (await alice.createAccessSet(kbId)).id,
    call: (bob, _, id) => bob('DELETE', `/access-sets/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/trusted-issuers',
    call: (bob, kbId) =>
      bob('POST', `/kbs/${kbId}/trusted-issuers`, {
        ...{ issuer: 'https://bob.example.com', audience: 'kb', scopes: ['query'] },
      }),
  },
  {
    operation: 'DELETE /trusted-issuers/{trust_id}',
    prepare: async (alice, kbId) => (await alice.createTrustedIssuer(kbId)).id,
    call: (bob, _, id) => bob('DELETE', `/trusted-issuers/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/channels',
    call: (bob, kbId) => bob('POST', `/kbs/${kbId}/channels`, { name: 'Bob' }),
  },
  {
    operation: 'PATCH /channels/{channel_id}',
    prepare: async (alice, kbId) => (await alice.createChannel(kbId)).id,
    call: (bob, _, id, index) => bob('PATCH', `/channels/${id}`, { name: `Bob ${index}` }),
  },
  {
    operation: 'DELETE /channels/{channel_id}',
    prepare: async (alice, kbId) => (await alice.createChannel(kbId)).id,
    call: (bob, _, id) => bob('DELETE', `/channels/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/sites',
    call: (bob, kbId) =>
      bob('POST', `/kbs/${kbId}/sites`, { name: 'Bob', origins: ['https://bob.example.com'] }),
  },
  {
    operation: 'PATCH /sites/{site_id}',
    prepare: async (alice, kbId) => (await alice.createSite(kbId)).id,
    call: (bob, _, id, index) => bob('PATCH', `/sites/${id}`, { name: `Bob ${index}` }),
  },
  {
    operation: 'DELETE /sites/{site_id}',
    prepare: async (alice, kbId) => (await alice.createSite(kbId)).id,
    call: (bob, _, id) => bob('DELETE', `/sites/${id}`),
  },
  {
    operation: 'DELETE /connections/{connection_id}',
    prepare: async (alice, kbId) => (await alice.createConnection(kbId)).id,
    call: (bob, _, id) => bob('DELETE', `/connections/${id}`),
  },
  {
    operation: 'POST /kbs/{kb_id}/curated-answers',
    call: (bob, kbId, _, index) =>
      bob('POST', `/kbs/${kbId}/curated-answers`, {
        ...{ questions: [`What does Bob say ${index}?`], answer: 'This.' },
      }),
  },
  {
    operation: 'PATCH /curated-answers/{curated_answer_id}',
    prepare: async (alice, kbId) => (await alice.createCuratedAnswer(kbId)).id,
    call: (bob, _, id) => bob('PATCH', `/curated-answers/${id}`, { answer: 'By Bob' }),
  },
  {
    operation: 'DELETE /curated-answers/{curated_answer_id}',
    prepare: async (alice, kbId) => (await alice.createCuratedAnswer(kbId)).id,
    call: (bob, _, id) => bob('DELETE', `/curated-answers/${id}`),
  },
  // These change nothing, whoever asks; a member who was removed is refused the answer, too.
  {
    operation: 'POST /kbs/{kb_id}/sources/test',
    call: (bob, kbId) =>
      bob('POST', `/kbs/${kbId}/sources/test`, { type: 'folder', config: { path: '/srv/docs' } }),
  },
  {
    operation: 'POST /documents/{document_id}/access-check',
    prepare: async (alice, kbId, index) =>
      (await alice.addDocument(kbId, { title: 'Checked', text: `Checked ${index}.` })).id,
    call: (bob, _, id) =>
      bob('POST', `/documents/${id}/access-check`, { principals: ['user:bob'] }),
  },
  {
    operation: 'POST /sources/{source_id}/cancel',
    prepare: newSource,
    call: (bob, _, id) => bob('POST', `/sources/${id}/cancel`),
  },
  {
    operation: 'POST /kbs/{kb_id}/query',
    call: (bob, kbId) => bob('POST', `/kbs/${kbId}/query`, { message: 'Is anybody there?' }),
  },
  {
    operation: 'POST /kbs/{kb_id}/chat',
    call: (bob, kbId) => bob('POST', `/kbs/${kbId}/chat`, { message: 'Is anybody there?' }),
  },
];
