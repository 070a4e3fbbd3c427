import { fromService } from '../from-service.mjs';
import { send } from './requests.mjs';

/**
 * @typedef {import('../support.mjs').Service} Service
 * @typedef {import('./library.mjs').FilledKnowledgeBase} FilledKnowledgeBase
 *
 * @typedef {object} RequestToMeasure
 * @property {number} count
 * @property {boolean} [isRecorded] it leaves a record of use, which is written later
 * @property {Service} [by] the process that answers, unless it is the first one
 * @property {(n: number) => Promise<unknown>} ask
 */

export const AT_ONCE = 4;
/** Questions of a conversation. */
const TURNS = 2;
const REPORT_DAYS = 90;

const { generateSecret } = await fromService('api-keys/secret.js');

/**
 * @param {{ service: Service, withRedis: Service, small: FilledKnowledgeBase, large: FilledKnowledgeBase, questions: string[] }} of
 * @returns {Record<string, RequestToMeasure>}
 */
export function requestsToMeasure({ service, withRedis, small, large, questions }) {
  const message = (/** @type {number} */ n) => String(questions[(n * 31) % questions.length]);
  const query = (/** @type {Service} */ { url }, /** @type {FilledKnowledgeBase} */ { key }) => {
    return (/** @type {number} */ n) =>
      send(url, { method: 'POST', path: '/query', body: { api_key: key, message: message(n) } });
  };
  const unknownKey = { api_key: generateSecret('live'), message: 'Who is there?' };
  const from = new Date(Date.now() - REPORT_DAYS * 24 * 60 * 60 * 1000).toISOString();
  return {
    query: { count: 1600, isRecorded: true, ask: query(service, small) },
    queryWithRedis: { count: 1600, isRecorded: true, by: withRedis, ask: query(withRedis, small) },
    queryOfManyChunks: { count: 800, isRecorded: true, ask: query(service, large) },
    chat: { count: 1000, isRecorded: true, ask: chat(service, small, message) },
    refusedKey: {
      count: 4000,
      ask: () =>
        send(service.url, { method: 'POST', path: '/query', body: unknownKey, status: 401 }),
    },
    list: {
      count: 1600,
      ask: () => send(service.url, { path: `/kbs/${large.id}/documents?limit=20` }),
    },
    report: {
      count: 600,
      ask: () => send(service.url, { path: `/kbs/${small.id}/analytics?from=${from}` }),
    },
  };
}

/**
 * Conversations of some questions, each client in one at a time.
 *
 * @param {Service} service
 * @param {FilledKnowledgeBase} knowledgeBase
 * @param {(n: number) => string} message
 */
function chat({ url }, { key }, message) {
  /** @type {{ id: string, turns: number }[]} free to be continued */
  const open = [];
  return async (/** @type {number} */ n) => {
    const { id, turns } = open.pop() ?? { id: undefined, turns: 0 };
    const { conversation_id } = await send(url, {
      ...{ method: 'POST', path: '/chat' },
      body: {
        api_key: key,
        message: message(n),
        conversation_id: id,
        end_user_id: id === undefined ? `user-${n}` : undefined,
      },
    });
    if (turns + 1 < TURNS) open.push({ id: conversation_id, turns: turns + 1 });
  };
}
