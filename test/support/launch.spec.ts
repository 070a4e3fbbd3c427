import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { SECRET } from './launch.mjs';
import { createSecret } from './leaky-files.js';

it.each([
  ['a live key', createSecret('live')],
  ['a test key', createSecret('test')],
  ['a key of a service account', createSecret('admin')],
  ['an agent’s access token', `rag_agent_${randomBytes(32).toString('base64url')}`],
  ['the secret of a webhook', `whsec_${randomBytes(32).toString('base64')}`],
])('%s is found in a line of the log', (_, secret) => {
  const line = JSON.stringify({ msg: `Refused:\n${secret}\n` });
  expect(SECRET.exec(line)?.[0]).toBe(secret);
});
