import { normalizeText } from '@latchkey/text/fold-text';
import type { QuotablePassage } from './reading.js';
import { stripMarkdown } from './readable-text.js';

const MAX_NAME = 80;
/** Other scripts have no space between a name and the words around it. */
const SPACED = '\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Nd}';
const META = /[\\^$.*+?()[\]{}|/]/g;

/**
 * Finds the rows of a passage's table whose first cell the question names, as readable text. A name of one
 * character must be a capital letter or a digit, such as a category.
 */
export function findNamedRows(
  cells: QuotablePassage['cells'],
  question: string,
): ReadonlySet<string> {
  const rows = cells?.rows.filter(([name = '']) => isNamed(name.trim(), question)) ?? [];
  return new Set(rows.map((row) => stripMarkdown(`| ${row.join(' | ')} |`)));
}

function isNamed(name: string, question: string): boolean {
  if (name === '' || name.length > MAX_NAME) return false;
  const isLetter = name.length === 1;
  if (isLetter && !/[\p{Lu}\p{Nd}]/u.test(name)) return false;
  const [text, wanted] = isLetter
    ? [question, name]
    : [question, name].map((some) => normalizeText(some));
  const escaped = (wanted ?? '').replace(META, '\\$&');
  return new RegExp(`(?<![${SPACED}_.,/-])${escaped}(?![${SPACED}_/-]|[.,]\\d)`, 'u').test(
    text ?? '',
  );
}
