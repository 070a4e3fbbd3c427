import { embeddedText, PATH_SEPARATOR, type Window } from '@latchkey/embeddings/windows';
import type { PassageText } from './read-passages.js';
import { isStatement, type Unit, unitsOf } from './units.js';

/** Of more, as the rows of a long table, the rest is judged by its windows. */
const MAX_UNITS = 32;

/**
 * The units of a passage that can be quoted, as they are embedded: below their headings. A clause says
 * too little to be compared: of XQuAD's questions in Thai .51 were right by their vectors, .64 by windows.
 */
export function embeddedUnits({
  title,
  heading,
  text,
  cells,
}: Pick<PassageText, 'title' | 'heading' | 'text' | 'cells'>): Window[] {
  const units = unitsOf(text, heading, cells?.columns);
  const section = heading?.split(PATH_SEPARATOR).at(-1) ?? '';
  const textOf = (index: number): string | undefined => units[index]?.text;
  const isHeader = ({ header }: Unit, index: number) => header === index;
  return units
    .flatMap((unit, index) => {
      if (!isStatement(unit) || unit.isClause || isHeader(unit, index)) return [];
      const part = {
        title,
        section: textOf(unit.section) ?? section,
        header: textOf(unit.header),
        text: unit.text,
      };
      return [{ start: unit.start, end: unit.end, embedded: embeddedText(part) }];
    })
    .slice(0, MAX_UNITS);
}
