import { useRef } from 'preact/hooks';

/**
 * Headers with which a request can be repeated after a lost answer without creating something twice. The key
 * stays the same as long as the body does.
 */
export function useIdempotencyKey(): (body: object) => { 'idempotency-key': string } {
  const last = useRef({ body: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: randomKey() };
    return { 'idempotency-key': last.current.key };
  };
}

/** Creates a random key; crypto.randomUUID() only exists on https and localhost. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
