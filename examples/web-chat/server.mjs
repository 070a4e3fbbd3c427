/* global fetch */
// The backend of a page that asks: it keeps the API key, and makes a client token for each visitor.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { LATCHKEY_URL = 'http://localhost:3000', LATCHKEY_API_KEY, PORT = '3001' } = process.env;
const SESSION = /(?:^|;\s*)session=([0-9a-f-]{36})(?:;|$)/;
const FILES = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/chat.js': ['chat.js', 'text/javascript; charset=utf-8'],
  '/chat.css': ['chat.css', 'text/css; charset=utf-8'],
};

if (!LATCHKEY_API_KEY) {
  console.error('Put the API key into LATCHKEY_API_KEY.');
  process.exit(2);
}

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
  const file = method === 'GET' ? FILES[url] : undefined;
  if (file) {
    const [name, type] = file;
    const content = await readFile(new URL(`public/${name}`, import.meta.url));
    response.writeHead(200, {
      'content-type': type,
      'content-security-policy': `default-src 'self'; img-src data:; connect-src 'self' ${new URL(LATCHKEY_URL).origin}`,
    });
    response.end(content);
  } else if (method === 'POST' && url === '/client-token') {
    await sendToken(request, response);
  } else {
    response.writeHead(404).end();
  }
}

/** A page of another origin cannot read the answer, and `SameSite` keeps the cookie from it. */
async function sendToken(request, response) {
  const visitor = visitorOf(request) ?? randomUUID();
  const made = await fetch(`${LATCHKEY_URL}/api/v1/client-tokens`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${LATCHKEY_API_KEY}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      end_user_id: visitor,
      expires_in_seconds: 900,
      allowed_origins: [originOf(request)],
    }),
  });
  if (!made.ok) throw new Error(`The service answered ${made.status}: ${await made.text()}`);
  const { client_token: token, expires_at: expiresAt } = await made.json();
  response.writeHead(200, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'set-cookie': `session=${visitor}; Path=/; HttpOnly; SameSite=Strict`,
  });
  response.end(JSON.stringify({ url: LATCHKEY_URL, token, expires_at: expiresAt }));
}

/** In your application: the user who is signed in. */
const visitorOf = ({ headers }) => SESSION.exec(headers.cookie ?? '')?.[1];

/** Behind a proxy that speaks https, the address under which visitors know you. */
const originOf = ({ headers }) => process.env.PUBLIC_ORIGIN ?? `http://${headers.host}`;
