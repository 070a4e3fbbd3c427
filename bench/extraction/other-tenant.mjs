// How long another tenant's searches take while scans are recognised.
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { quantile, round, startService } from '../support.mjs';
import { PAGE_TEXTS } from './page-texts.mjs';
import { scannedPages } from './scanned-pages.mjs';

const DOCUMENTS = 200;
const WARM_UP = 100;
const SEARCHES = 400;
/** Idle and busy in turn, since others may work on the machine too. */
const ROUNDS = 3;
const PAUSE_MS = 20;

/** @returns {Promise<Record<string, string | number>[]>} */
export async function otherTenantRows() {
  const service = await startService({ EMBEDDINGS: 'off' });
  try {
    const search = await searcher(service);
    for (let n = 0; n < WARM_UP; n++) await search();
    const { id: kbId } = await service.call('POST', '/kbs', { name: 'Scans' });
    /** @type {{ idle: number[], busy: number[] }} */
    const took = { idle: [], busy: [] };
    for (let turn = 0; turn < ROUNDS; turn++) {
      for (let n = 0; n < SEARCHES; n++) took.idle.push(await search());
      const document = await upload(service, kbId, turn);
      for (let n = 0; n < SEARCHES; n++) took.busy.push(await search());
      if (await isReady(service, document))
        throw new Error('Recognition ended before the searches');
      while (!(await isReady(service, document))) await pause(200);
    }
    return Object.entries(took).map(([state, times]) => ({
      'searches of another tenant': state === 'idle' ? 'idle' : 'while scans are recognised',
      'p50 ms': round(quantile(times, 0.5)),
      'p99 ms': round(quantile(times, 0.99)),
      'of idle': round(quantile(times, 0.99) / quantile(took.idle, 0.99)),
    }));
  } finally {
    await service.stop();
  }
}

/**
 * @param {import('../support.mjs').Service} service
 * @returns {Promise<() => Promise<number>>} searches once, and says how many ms it took
 */
async function searcher(service) {
  const { id: kbId } = await service.call('POST', '/kbs', { name: 'Policies' });
  for (let number = 0; number < DOCUMENTS; number++) {
    await service.call('POST', `/kbs/${kbId}/documents`, {
      title: `Policy ${number}`,
      text: `Customers may return order ${number} within ${number + 2} days of delivery.`,
    });
  }
  while (
    (await service.call('GET', `/kbs/${kbId}/documents?status=ready&limit=1`)).total < DOCUMENTS
  )
    await pause(200);
  const { api_key: key } = await service.call('POST', `/kbs/${kbId}/api-keys`, {
    ...{ name: 'bench', environment: 'live', rate_limit_per_minute: 1_000_000 },
  });
  let asked = 0;
  return async () => {
    await pause(PAUSE_MS);
    const start = performance.now();
    const response = await globalThis.fetch(`${service.url}/api/v1/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: `How long may I return order ${asked++ % DOCUMENTS}?` }),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`A search was answered ${response.status}`);
    return performance.now() - start;
  };
}

/**
 * @param {import('../support.mjs').Service} service
 * @param {string} kbId
 * @param {number} number
 * @returns {Promise<string>} the id of a document of scans
 */
async function upload(service, kbId, number) {
  const text = PAGE_TEXTS[number % PAGE_TEXTS.length];
  if (!text) throw new Error('There are no texts');
  const { file } = await scannedPages(text);
  const form = new globalThis.FormData();
  form.append('file', new globalThis.Blob([file]), 'scans.pdf');
  return (await service.call('POST', `/kbs/${kbId}/documents`, form)).id;
}

/**
 * @param {import('../support.mjs').Service} service
 * @param {string} id
 */
const isReady = async (service, id) =>
  (await service.call('GET', `/documents/${id}`)).status === 'ready';
