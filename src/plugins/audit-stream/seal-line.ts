import { createHmac, type KeyObject } from 'node:crypto';
import { parseJson } from '@latchkey/text/parse-json';
import type { OcsfEvent } from './ocsf.js';

/** The place of a line in the chain. */
export interface Place {
  readonly chainId: string;
  /** The number of the line, from 1 and without gaps. */
  readonly sequence: number;
  /** The hash of the previous line; empty for the first. */
  readonly previousHash: string;
}

/** The purpose, for `Peppers.derive`, of the keys that seal lines. */
export const AUDIT_LOG_KEY = 'latchkey audit log';

/**
 * Builds a line of AUDIT_LOG. Its last field, `hash`, is the HMAC-SHA-256 of all bytes before the comma in
 * front of it, which include the hash of the previous line.
 */
export function sealLine(
  event: OcsfEvent,
  { chainId, sequence, previousHash }: Place,
  { pepperId, key }: { readonly pepperId: string; readonly key: KeyObject },
): { readonly line: string; readonly hash: string } {
  const { unmapped, ...rest } = event;
  const open = JSON.stringify({
    ...rest,
    metadata: { ...event.metadata, sequence },
    unmapped: {
      ...unmapped,
      chain_id: chainId,
      key_id: pepperId,
      prev_hash: previousHash,
    },
  })
    .slice(0, -2)
    // Some line readers take these characters for the end of a line.
    .replace(/[\u0085\u2028\u2029]/g, escaped);
  const hash = createHmac('sha256', key).update(open).digest('hex');
  return { line: `${open},"hash":"${hash}"}}`, hash };
}

const escaped = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The events of sealed lines as JSON, without their places: they get other places if the chain does not
 * continue.
 *
 * @param lines each with a line feed
 */
export const unsealed = (lines: string): string[] =>
  lines
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const { metadata, unmapped, ...rest } = parseJson(line) as SealedEvent;
      const { sequence: _, ...ownMetadata } = metadata;
      const { chain_id: _chain, key_id: _key, prev_hash: _before, hash: _hash, ...own } = unmapped;
      return JSON.stringify({ ...rest, metadata: ownMetadata, unmapped: own });
    });

/** The head of the chain before the given lines. */
export function headBefore(lines: string): { readonly sequence: number; readonly hash: string } {
  const { metadata, unmapped } = parseJson(lines.slice(0, lines.indexOf('\n'))) as SealedEvent;
  return { sequence: metadata.sequence - 1, hash: unmapped.prev_hash };
}

interface SealedEvent {
  readonly metadata: { readonly sequence: number };
  readonly unmapped: Readonly<Record<'chain_id' | 'key_id' | 'prev_hash' | 'hash', string>>;
}
