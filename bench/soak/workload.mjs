import { setTimeout as pause } from 'node:timers/promises';

const UPLOAD_PAUSE_MS = 250;
const KEY_PAUSE_MS = 500;
const MESSAGES_PER_CONVERSATION = 5;
/** Of revoked keys that are kept, below the limit of a knowledge base; older ones are deleted. */
const MAX_REVOKED = 50;

/** A word that only the document with this number has. */
export const markerOf = (/** @type {number} */ n) => `marker${n}x`;

/** What clients do all the time, and what was acknowledged. */
export class Workload {
  /** @type {{ id: string, marker: string }[]} */
  documents = [];
  /** @type {Map<string, string[]>} ids of answers, by conversation */
  conversations = new Map();
  /** @type {{ id: string, secret: string }[]} */
  revoked = [];
  /** Keys that were issued, and keys that were revoked. */
  keys = { issued: 0, revoked: 0 };
  /** Requests with a revoked key that were not refused. */
  letIn = 0;

  /**
   * @param {import('./service-client.mjs').ServiceClient} client
   * @param {string} kbId
   * @param {string} secret of a key that stays
   */
  constructor(client, kbId, secret) {
    this.client = client;
    this.kbId = kbId;
    this.secret = secret;
  }

  /** Goes on until the client's signal is aborted. */
  async run() {
    await Promise.all([
      this.#repeat(() => this.#upload()),
      this.#repeat(() => this.#turnKeyOver()),
      this.#repeat(() => this.#ask()),
      this.#repeat(() => this.#chat()),
      this.#repeat(() => this.#chat()),
    ]);
  }

  /** @param {() => Promise<void>} work */
  async #repeat(work) {
    while (!this.client.signal.aborted) await work();
  }

  async #upload() {
    const n = this.documents.length;
    const marker = markerOf(n);
    const path = `/kbs/${this.kbId}/documents`;
    const text = `The code ${marker} is for orders that are returned within ${n} days.`;
    const answer = await this.client.send(
      'uploads',
      'POST',
      path,
      { title: `Document ${n}`, external_id: `external-${n}`, text },
      { 'idempotency-key': `document-${n}` },
    );
    if (answer) this.documents.push({ id: created(answer, 202).id, marker });
    await pause(UPLOAD_PAUSE_MS);
  }

  async #turnKeyOver() {
    const { client } = this;
    const issue = { name: `Key ${this.keys.issued}`, environment: 'live' };
    const path = `/kbs/${this.kbId}/api-keys`;
    const answer = await client.send('keys issued', 'POST', path, issue);
    if (!answer) return;
    const { id, api_key: secret } = created(answer, 201);
    this.keys.issued++;
    const revocation = await client.send('keys revoked', 'PATCH', `/api-keys/${id}/revoke`);
    if (!revocation) return;
    created(revocation, 200);
    this.keys.revoked++;
    this.revoked.push({ id, secret });
    if (this.revoked.length > MAX_REVOKED) {
      const oldest = this.revoked.shift();
      await client.send('keys deleted', 'DELETE', `/api-keys/${oldest?.id}`);
    }
    const any = this.revoked[this.keys.revoked % this.revoked.length];
    for (const each of [secret, any?.secret]) {
      const body = { api_key: each, message: 'Anything?' };
      const use = await client.send('uses of revoked keys', 'POST', '/query', body);
      if (use && use.status !== 401) this.letIn++;
    }
    await pause(KEY_PAUSE_MS);
  }

  async #ask() {
    const message = `What is the code ${markerOf(Math.floor(Math.random() * 1000))} for?`;
    await this.client.send('questions', 'POST', '/query', { api_key: this.secret, message });
  }

  async #chat() {
    let conversation;
    for (let n = 0; n < MESSAGES_PER_CONVERSATION; n++) {
      const answer = await this.client.send('chats', 'POST', '/chat', {
        api_key: this.secret,
        message: 'Within how many days may orders be returned?',
        ...(conversation !== undefined && { conversation_id: conversation }),
      });
      if (!answer) return;
      const { conversation_id: id, message_id: message } = created(answer, 200);
      conversation = id;
      this.conversations.set(id, [...(this.conversations.get(id) ?? []), message]);
    }
  }
}

/**
 * @param {import('./service-client.mjs').Answer} answer
 * @param {number} status
 */
export function created(answer, status) {
  if (answer.status !== status) throw new Error(JSON.stringify(answer));
  return answer.body;
}
