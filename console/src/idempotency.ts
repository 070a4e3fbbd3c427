import { useRef } from 'preact/hooks';

/**
 * Headers that let a request be sent again when its answer was lost, without making two of what it
 * makes. As long as the body stays the same, so does the key.
 */
export function useIdempotencyKey(): (body: object) => { 'idempotency-key': string } {
  const last = useRef({ body: '', key: '' });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: randomKey() };
    return { 'idempotency-key': last.current.key };
  };
}

/** crypto.randomUUID() is there on https and localhost only. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
