import { randomBytes } from 'node:crypto';
import { withChecksum } from './api-key-secret.js';

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Files of a repository into which somebody put an API key, by their paths. */
export const LEAKS: Readonly<Record<string, (key: string) => string>> = {
  '.env': (key) => `LATCHKEY_API_KEY=${key}\n`,
  'src/ask.ts': (key) => `const headers = { authorization: 'Bearer ${key}' };\n`,
  'config.yaml': (key) => `latchkey:\n  api_key: ${key}\n`,
  'analysis.ipynb': (key) =>
    JSON.stringify({ cells: [{ cell_type: 'code', source: ['import os\n', `KEY = "${key}"\n`] }] }),
  // In JSON the key follows the n of \n.
  'steps.json': (key) => JSON.stringify({ script: `echo\n${key}\nexit` }),
  'public/app.min.js': (key) =>
    `${'a=b(c);'.repeat(20_000)}k="${key}";${'a=b(c);'.repeat(20_000)}\n`,
  'notes.md': (key) => `Ask with \`${key}\`, then go on.\n`,
  'address.txt': (key) => `https://kb.example.com/ask?key=${key}&q=returns\n`,
  'names.txt': (key) => `backup_${key}_old\n`,
  'keys.csv': (key) => `shop,${key},2026\n`,
  'deploy/secret.yaml': (key) =>
    `kind: Secret\ndata:\n  api-key: ${base64(`LATCHKEY_API_KEY=${key}\n`)}\n`,
};

/** Looks like 48 characters of a secret, and has no checksum that could be one. */
const improbable = `${'aB3xK9mQ2z'.repeat(4)}pLz9aB3x`;

/** What has something of a key and is none. */
export const LOOKALIKES = [
  '5f3a9c21d0e84b7f96a1c2d3e4f5061728394a5b',
  'f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  `sk_live_${'a1B2c3D4'.repeat(3)}`,
  `rag_live_8fJ2kQ9xZa${'x'.repeat(38)}`,
  `rag_live_${'0'.repeat(48)}`,
  `rag_live_${improbable}`,
  'rag_live_${LATCHKEY_SECRET}',
  createSecret('live').slice(0, -1),
  `${createSecret('live')}a`,
  createSecret('prod'),
  'rag_client_eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjdXN0b21lci00NzExIn0.c2lnbmF0dXJl',
  `rag_agent_${randomBytes(32).toString('base64url')}`,
];

/** A secret with the right checksum, which no service knows. */
export function createSecret(kind: string): string {
  const random = randomBytes(48).toString('base64').replaceAll(/[+/]/g, 'x').slice(0, 42);
  return withChecksum(`rag_${kind}_${random}`);
}
