// Tells TruffleHog which of the API keys that it found work. A custom detector can only POST what it found,
// so this asks `GET /api/v1/key` with the key, which is no use of it. Runs beside the scan:
//   LATCHKEY_URL=https://kb.example.com node verifier.mjs
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const { LATCHKEY_URL, PORT = '8787' } = process.env;
if (!LATCHKEY_URL) throw new Error('Set LATCHKEY_URL to the address of the service');

const server = createServer((request, response) => {
  verify(request)
    // What TruffleHog does not find verified, it lists as unverified.
    .catch(() => 502)
    .then((status) => response.writeHead(status).end());
});
server.listen(Number(PORT), '127.0.0.1', () =>
  console.log(`Listening on port ${server.address().port}`),
);

/** 200 for a key that works, 403 for one that does not, 502 if the service does not say. */
async function verify(request) {
  const { LatchkeyApiKey: finding } = await json(request);
  const [match, key = match] = finding.api_key;
  if (!hasChecksum(key)) return 403;
  const answer = await fetch(`${LATCHKEY_URL.replace(/\/$/, '')}/api/v1/key`, {
    headers: { authorization: `Bearer ${key}` },
    redirect: 'error',
    signal: AbortSignal.timeout(10_000),
  });
  if (answer.ok) return 200;
  const { code } = await answer.json();
  // The key works elsewhere, or for who has the key pair too.
  if (code === 'ip_not_allowed' || code === 'proof_required') return 200;
  return answer.status === 401 ? 403 : 502;
}

/** Whether a key ends in the CRC-32 of what precedes, as six base62 digits: any other is a typo. */
function hasChecksum(key) {
  const digits = [...key.slice(-6)].map((digit) => ALPHABET.indexOf(digit));
  return digits.reduce((number, digit) => number * 62 + digit, 0) === crc32(key.slice(0, -6));
}
