// Lets the API key in a Secret rotate itself once it is older than ROTATE_AFTER_DAYS, and writes its
// successor into the Secret. Runs in the image of the service, which has Node.js.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const {
  LATCHKEY_URL,
  SECRET_NAME,
  SECRET_KEY = 'api-key',
  ROTATE_AFTER_DAYS = '30',
  KUBERNETES_API = 'https://kubernetes.default.svc',
  SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount',
} = process.env;
const ROTATED_AT = 'latchkey/rotated-at';
const DAY_MS = 24 * 60 * 60 * 1000;

const mounted = (name) => readFileSync(`${SERVICE_ACCOUNT}/${name}`, 'utf8').trim();
const secretUrl = `${KUBERNETES_API}/api/v1/namespaces/${mounted('namespace')}/secrets/${SECRET_NAME}`;

async function rotate(key, { metadata: { uid } }) {
  // If the answer is lost, the next run gets the same successor by it. Who has the old key alone cannot guess it.
  const attempt = createHash('sha256').update(`${uid} ${key}`).digest('hex');
  const response = await askService(key, '/api/v1/key/rotate', {
    method: 'POST',
    headers: { 'idempotency-key': attempt },
  });
  if (!response.ok) throw new Error(`The key was not rotated: ${await response.text()}`);
  return response.json();
}

/** Replaces the key in the Secret by one that works. */
async function store(key, { metadata: { resourceVersion } }) {
  if (!(await works(key))) throw new Error('The successor is not stored: it does not work');
  const response = await askKubernetes({
    method: 'PATCH',
    headers: { 'content-type': 'application/merge-patch+json' },
    body: JSON.stringify({
      // Refused with 409 if anybody has changed the Secret meanwhile.
      metadata: { resourceVersion, annotations: { [ROTATED_AT]: new Date().toISOString() } },
      data: { [SECRET_KEY]: Buffer.from(key).toString('base64') },
    }),
  });
  if (response.ok) return;
  if (response.status !== 409) throw new Error(`The Secret was not written: ${response.status}`);
  const current = await readSecret();
  // Of two runs, the one that was answered last has the secret that works.
  if (!(await works(decode(current)))) await store(key, current);
}

/** Whether a key works, which no other answers than these two say. */
async function works(key) {
  const { status } = await askService(key, '/api/v1/key');
  if (status === 200) return true;
  if (status === 401) return false;
  throw new Error(`It is not known whether the key works: GET /api/v1/key answered ${status}`);
}

async function readSecret() {
  const response = await askKubernetes();
  if (!response.ok) throw new Error(`The Secret ${SECRET_NAME} was not read: ${response.status}`);
  return response.json();
}

const decode = ({ data }) => Buffer.from(data[SECRET_KEY], 'base64').toString().trim();

const askKubernetes = (request) => ask(secretUrl, mounted('token'), request);
const askService = (key, path, request) =>
  ask(LATCHKEY_URL.replace(/\/$/, '') + path, key, request);

const ask = (url, token, { headers, ...request } = {}) =>
  fetch(url, {
    ...request,
    headers: { authorization: `Bearer ${token}`, ...headers },
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  });

if (!(Number(ROTATE_AFTER_DAYS) >= 0)) throw new Error('ROTATE_AFTER_DAYS must be a number');
const secret = await readSecret();
const rotatedAt = Date.parse(secret.metadata.annotations?.[ROTATED_AT] ?? '');
if (Date.now() - rotatedAt < Number(ROTATE_AFTER_DAYS) * DAY_MS) {
  console.log(`Nothing to do: rotated at ${new Date(rotatedAt).toISOString()}`);
} else {
  const successor = await rotate(decode(secret), secret);
  await store(successor.api_key, secret);
  console.log(
    `${successor.prefix}… works; its predecessor until ${successor.replaced_key_expires_at}`,
  );
}
