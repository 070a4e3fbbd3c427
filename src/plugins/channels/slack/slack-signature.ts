import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedRequest } from '../channel-port.js';

/** Older requests could be somebody else’s repetition. */
const MAX_AGE_SECONDS = 5 * 60;
const TIMESTAMP = /^\d{1,12}$/;

/** Whether Slack has signed a request within the last minutes: HMAC-SHA-256 over its time and its bytes. */
export function verifySlackSignature({ headers, body }: SignedRequest, secret: string): boolean {
  const { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature } = headers;
  if (typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!TIMESTAMP.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > MAX_AGE_SECONDS) return false;
  const mac = createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex');
  const [given, expected] = [Buffer.from(signature), Buffer.from(`v0=${mac}`)];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
