import { formatNumber, type NumberFormat } from '../word/number-format.js';
import { BULLET } from '../word/numbering.js';
import { isLeftOut } from './leave-out.js';
import { type Element, isElement } from './parse-html.js';

/** Values of the attribute `type`, which is case-sensitive. */
const TYPES: Readonly<Record<string, NumberFormat>> = {
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
};
/** Values of the CSS property `list-style-type`. */
const STYLES: Readonly<Record<string, NumberFormat>> = {
  'lower-alpha': 'lowerLetter',
  'lower-latin': 'lowerLetter',
  'upper-alpha': 'upperLetter',
  'upper-latin': 'upperLetter',
  'lower-roman': 'lowerRoman',
  'upper-roman': 'upperRoman',
  'decimal-leading-zero': 'decimalZero',
};
const STYLE = /(?:^|;)\s*list-style(?:-type)?\s*:([^;]{1,200})/i;

/** The markers of a list's items as they are displayed. */
export function numberItems(list: Element): ReadonlyMap<Element, string> {
  const items = list.children
    .filter(isElement)
    .filter((child) => child.name === 'li' && !isLeftOut(child));
  if (list.name !== 'ol') return new Map(items.map((item) => [item, BULLET]));
  const isReversed = list.attribs['reversed'] !== undefined;
  const step = isReversed ? -1 : 1;
  let number = wholeNumber(list.attribs['start']) ?? (isReversed ? items.length : 1);
  return new Map(
    items.map((item) => {
      number = wholeNumber(item.attribs['value']) ?? number;
      const marker = `${formatNumber(number, findNumberFormat(item) ?? findNumberFormat(list) ?? 'decimal')}.`;
      number += step;
      return [item, marker];
    }),
  );
}

function wholeNumber(value: string | undefined): number | undefined {
  const number = Number(value?.trim() || undefined);
  return Number.isSafeInteger(number) ? number : undefined;
}

function findNumberFormat({ attribs }: Element): NumberFormat | undefined {
  const values =
    STYLE.exec(attribs['style'] ?? '')?.[1]
      ?.toLowerCase()
      .split(/\s+/) ?? [];
  const style = values.find((value) => Object.hasOwn(STYLES, value));
  return STYLES[style ?? ''] ?? TYPES[attribs['type'] ?? ''];
}
