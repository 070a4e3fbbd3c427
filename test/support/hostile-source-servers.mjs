import { once } from 'node:events';
import { createServer } from 'node:http';

/**
 * Servers of sources whose answers are made to be slow to read: each has what a source is connected by,
 * and answers on loopback.
 */

/**
 * @typedef {object} HostileServer
 * @property {string} name
 * @property {string} type of the source
 * @property {(origin: string) => object} config
 * @property {object} [credentials]
 * @property {number} [status] 200 unless given
 * @property {(path: string, origin: string) => string | Buffer | undefined} answer by path and query;
 *   undefined is 404
 */

const MB = 1024 * 1024;

/** @type {(times: number, text: string) => string} */
const repeated = (times, text) => text.repeat(times);

/** @type {(origin: string) => object} */
const website = (origin) => ({ start_urls: [`${origin}/`] });

/** @param {(path: string) => string | Buffer | undefined} answer */
const confluence = (answer) => ({
  type: 'confluence',
  config: (/** @type {string} */ origin) => ({ base_url: origin, space: 'DOCS' }),
  credentials: { token: 'some-token' },
  answer,
});

const PAGE = JSON.stringify({
  results: [
    {
      ...{ id: '1', title: 'Handbook', version: { number: 1 }, ancestors: [] },
      restrictions: {
        read: { restrictions: { user: { results: [] }, group: { results: [] } } },
      },
    },
  ],
});

/** Path and query of a page whose robots.txt takes long: each rule has many places to try. */
const linkOf = (/** @type {number} */ index) => `/${'b'.repeat(300)}?${index}`;

/** @type {readonly HostileServer[]} */
export const HOSTILE_SERVERS = [
  {
    name: 'a Confluence page of 36 MB of <b/>',
    ...confluence((path) => {
      if (path.includes('body.storage')) {
        return `{"body":{"storage":{"value":"${repeated((36 * MB) / 4, '<b/>')}"}}}`;
      }
      return PAGE;
    }),
  },
  {
    name: 'a robots.txt of 20,000 rules of *b*b*b*b*c',
    type: 'website',
    config: website,
    answer: (path) => {
      if (path === '/robots.txt') {
        return `User-agent: *\n${repeated(20_000, 'Disallow: /*b*b*b*b*c\n')}`;
      }
      return Array.from({ length: 100 }, (_, index) => `<a href="${linkOf(index)}">a</a>`).join('');
    },
  },
  {
    name: 'a page of 3.3 million <a>',
    type: 'website',
    config: website,
    answer: (path) => (path === '/' ? repeated(3_300_000, '<a>') : undefined),
  },
  {
    name: 'a Confluence listing of 31 MB',
    ...confluence(() => `{"results":[${repeated((31 * MB) / 11, '{"id":"1"},')}{"id":"1"}]}`),
  },
  {
    name: 'an S3 listing of 8 MB of <a/>',
    type: 's3',
    config: (origin) => ({ endpoint: origin, bucket: 'docs' }),
    credentials: { access_key_id: 'some-id', secret_access_key: 'some-secret' },
    answer: () => `<ListBucketResult>${repeated((8 * MB) / 4 - 50, '<a/>')}</ListBucketResult>`,
  },
  {
    name: 'a WebDAV listing of 60 MB of <a/>',
    type: 'webdav',
    config: (origin) => ({ url: origin }),
    status: 207,
    answer: () => `<d:multistatus xmlns:d="DAV:">${repeated((60 * MB) / 4, '<a/>')}`,
  },
  {
    name: '5,000 links with hosts of 1,900 characters',
    type: 'website',
    config: website,
    answer: (path) => {
      if (path !== '/') return undefined;
      const host = repeated(950, 'a.');
      return Array.from(
        { length: 5000 },
        (_, index) => `<a href="http://${host}${index}/">a</a>`,
      ).join('');
    },
  },
  {
    name: 'a sitemap of 50,000 locations',
    type: 'website',
    config: (origin) => ({ sitemap_url: `${origin}/sitemap.xml` }),
    answer: (path, origin) => {
      if (path !== '/sitemap.xml') return undefined;
      const locations = Array.from(
        { length: 50_000 },
        (_, index) => `<url><loc>${origin}/${index}.zip</loc></url>`,
      );
      return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations.join('')}</urlset>`;
    },
  },
];

/**
 * @param {HostileServer} hostile
 * @returns {Promise<{ origin: string, stop: () => Promise<void> }>}
 */
export async function startHostileServer({ answer, status = 200 }) {
  let origin = '';
  /** Each answer is made once: making it takes longer than sending it. */
  const answers = new Map();
  const server = createServer(({ url = '/' }, response) => {
    if (!answers.has(url)) answers.set(url, answer(url, origin));
    const body = answers.get(url);
    if (body === undefined) response.writeHead(404).end();
    else response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
