import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds } from '../support.mjs';

/** @typedef {import('../support.mjs').Service} Service */

/** In one round. */
export const DOCUMENTS = 200;
export const SMALL_WORDS = 150;
export const UPLOADS_AT_ONCE = 8;
export const ROUNDS = 3;

let seed = 1;
const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
/** As frequent as Zipf says. */
const word = () => `word${Math.floor(30_000 ** random()).toString(36)}`;
/** @param {number} count */
export const words = (count) => Array.from({ length: count }, word).join(' ');

/**
 * Adds documents and waits until they are ready.
 *
 * @param {Service} service
 * @param {string} kbId
 * @param {() => object} document what it is made of
 */
export async function addDocuments(service, kbId, document) {
  const documents = Array.from({ length: DOCUMENTS }, document);
  const cpu = cpuSeconds(service.pid);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: UPLOADS_AT_ONCE }, async () => {
      for (let next = documents.pop(); next; next = documents.pop()) {
        await service.call('POST', `/kbs/${kbId}/documents`, { title: words(4), ...next });
      }
    }),
  );
  // Those that wait are few, whereas counting those that are ready takes long where there are many.
  for (const status of ['pending', 'processing']) {
    const path = `/kbs/${kbId}/documents?status=${status}&limit=1`;
    while ((await service.call('GET', path)).total > 0) await pause(20);
  }
  const seconds = (performance.now() - start) / 1000;
  return { seconds, cpu: cpuSeconds(service.pid) - cpu };
}

/**
 * Uploads a PDF.
 *
 * @param {Service} service
 * @param {string} kbId
 * @param {Uint8Array} bytes
 */
export async function uploadFile(service, kbId, bytes) {
  const body = new globalThis.FormData();
  body.append('file', new globalThis.Blob([new Uint8Array(bytes)]), 'long.pdf');
  const response = await globalThis.fetch(`${service.url}/api/v1/kbs/${kbId}/documents`, {
    method: 'POST',
    headers: { 'x-idp-user-id': 'bench' },
    body,
  });
  if (!response.ok) throw new Error(`Upload: ${response.status}`);
  return /** @type {{ id: string }} */ (await response.json());
}
