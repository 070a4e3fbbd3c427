import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

const agent = new Agent({ keepAlive: true });

/**
 * @param {string} url of the service
 * @param {{ method?: string, path: string, body?: unknown, status?: number }} what `status`: the one expected
 * @returns {Promise<any>} the answer's body
 */
export async function send(url, { method = 'GET', path, body, status = 200 }) {
  const sent = request(`${url}/api/v1${path}`, {
    method,
    agent,
    headers: {
      ...(method === 'GET' || path.startsWith('/kbs') ? { 'x-idp-user-id': 'bench' } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = /** @type {[import('node:http').IncomingMessage]} */ (
    await once(sent, 'response')
  );
  const answer = JSON.parse(await text(response));
  if (response.statusCode === status) return answer;
  throw new Error(`${method} ${path}: ${response.statusCode} ${JSON.stringify(answer)}`);
}

/**
 * Calls `ask` with 0 to `count` - 1, several at a time.
 *
 * @param {number} count
 * @param {number} atOnce
 * @param {(n: number) => Promise<unknown>} ask
 */
export async function sendAll(count, atOnce, ask) {
  let n = 0;
  const worker = async () => {
    while (n < count) await ask(n++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}
