import type { Block, ReadingContext } from '../block.js';
import { decodeText } from '../decode-text.js';
import { readText } from '../read-text.js';
import { Unreadable } from '../unreadable.js';
import { quoteInexactNumbers } from './quote-inexact-numbers.js';
import { type Value, valueBlocks } from './value-blocks.js';

const MAX_DEPTH = 100;

/** Reads JSON and JSON Lines as paths and values; anything else is read as text. */
export function readJson(content: Uint8Array, context: ReadingContext): Block[] {
  const parsed = parseJson(quoteInexactNumbers(decodeText(content, context)));
  if (parsed === undefined) return readText(content, context);
  context.progress();
  return valueBlocks(toValue(parsed, 0), context.progress.bind(context));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    try {
      return lines.length > 1 ? lines.map((line) => JSON.parse(line) as unknown) : undefined;
    } catch {
      return undefined;
    }
  }
}

function toValue(json: unknown, depth: number): Value {
  if (depth > MAX_DEPTH) throw new Unreadable('parse_failed', 'The values are nested too deeply.');
  if (json === null || json === undefined) return '';
  if (Array.isArray(json)) return json.map((each) => toValue(each, depth + 1));
  if (typeof json !== 'object') return typeof json === 'string' ? json : JSON.stringify(json);
  return new Map(
    Object.entries(json).map(([name, value]) => [name, toValue(value, depth + 1)] as const),
  );
}
