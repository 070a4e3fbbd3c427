import { request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { limitInformation } from './limit-information.js';
import { lookupPublicAddress, findUrlProblem } from './receiver-address.js';

/** The maximum size of a document. */
const MAX_BYTES = 64 * 1024;
/** The time limit from the DNS lookup to the last byte. */
const TIMEOUT_MS = 3000;

/**
 * Fetches a document of somebody else, without redirects. The URLs come from users and from others, so
 * connections go to public addresses only, unless `allowPrivate`.
 *
 * @throws Error for anything else than a whole answer
 */
export function fetchDocument(address: string, allowPrivate: boolean): Promise<Response> {
  const problem = findUrlProblem(address, allowPrivate);
  if (problem !== undefined) return Promise.reject(new Error(problem));
  const url = new URL(address);
  const options: RequestOptions = {
    // A new connection for each request, so that its address is checked.
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json', 'user-agent': 'Latchkey/1' },
    ...(!allowPrivate && { lookup: lookupPublicAddress }),
  };
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'http:' ? httpRequest : httpsRequest)(url, options);
    limitInformation(sent);
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_BYTES) response.destroy(new Error('it answered too much'));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode: status } = response;
        if (status !== 200) reject(new Error(`it answered ${String(status)}`));
        else {
          const { 'cache-control': cacheControl } = response.headers;
          const headers = new Headers();
          if (cacheControl !== undefined) headers.set('cache-control', cacheControl);
          resolve(new Response(Buffer.concat(chunks), { headers }));
        }
      });
    });
    sent.end();
  });
}
