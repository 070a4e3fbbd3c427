// The backend of a page that asks: it keeps the API key, and makes a client token for each visitor.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { Latchkey } from '@latchkey/client';

const { LATCHKEY_URL = 'http://localhost:3000', LATCHKEY_API_KEY, PORT = '3001' } = process.env;
const SESSION = /(?:^|;\s*)session=([0-9a-f-]{36})(?:;|$)/;
const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/chat.js': ['chat.js', 'text/javascript; charset=utf-8'],
  '/chat.css': ['chat.css', 'text/css; charset=utf-8'],
};

/** The page imports the same package as this backend, from here. */
const CLIENT_PATH = /^\/latchkey-client\/([\w-]+\.js)$/;
const CLIENT_FOLDER = new URL('.', import.meta.resolve('@latchkey/client'));

if (!LATCHKEY_API_KEY) {
  console.error('Put the API key into LATCHKEY_API_KEY.');
  process.exit(2);
}
const latchkey = new Latchkey({ baseUrl: LATCHKEY_URL, apiKey: LATCHKEY_API_KEY });

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    console.error(error instanceof Error ? error.message : error);
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
});
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`http://localhost:${server.address().port}`);
});

async function answer(request, response) {
  const { method, url = '/' } = request;
  const file = method === 'GET' ? fileAt(url) : undefined;
  if (file) {
    const [location, type] = file;
    const content = await readFile(location);
    response.writeHead(200, {
      'content-type': type,
      'content-security-policy': `default-src 'self'; img-src data:; connect-src 'self' ${new URL(LATCHKEY_URL).origin}`,
    });
    response.end(content);
  } else if (method === 'GET' && url === '/settings') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ baseUrl: LATCHKEY_URL }));
  } else if (method === 'POST' && url === '/client-token') {
    await sendToken(request, response);
  } else {
    response.writeHead(404).end();
  }
}

/** The address of a file and its type; undefined if there is none. */
function fileAt(url) {
  const [, module] = CLIENT_PATH.exec(url) ?? [];
  if (module) return [new URL(module, CLIENT_FOLDER), FILES['/chat.js'][1]];
  if (!Object.hasOwn(FILES, url)) return undefined;
  const [name, type] = FILES[url];
  return [new URL(`public/${name}`, import.meta.url), type];
}

/** A page of another origin cannot read the answer, and `SameSite` keeps the cookie from it. */
async function sendToken(request, response) {
  const visitor = visitorOf(request) ?? randomUUID();
  const { client_token: token } = await latchkey.createClientToken({
    end_user_id: visitor,
    expires_in_seconds: 900,
    allowed_origins: [originOf(request)],
  });
  response.writeHead(200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'set-cookie': `session=${visitor}; Path=/; HttpOnly; SameSite=Strict`,
  });
  response.end(JSON.stringify({ token }));
}

/** In your application: the user who is signed in. */
const visitorOf = ({ headers }) => SESSION.exec(headers.cookie ?? '')?.[1];

/** Behind a proxy that speaks https, the address under which visitors know you. */
const originOf = ({ headers }) => process.env.PUBLIC_ORIGIN ?? `http://${headers.host}`;
