import { buildEmbeddedText, PATH_SEPARATOR, type Window } from '@latchkey/embeddings/windows';
import type { QuotablePassage } from './reading.js';
import { isStatement, type Unit, splitUnits } from './units.js';

/** Further units, such as the rows of a long table, are compared by the vectors of their windows. */
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
}: Pick<QuotablePassage, 'title' | 'heading' | 'text' | 'cells'>): Window[] {
  const units = splitUnits(text, heading, cells?.columns);
  const section = heading?.split(PATH_SEPARATOR).at(-1) ?? '';
  const getText = (index: number): string | undefined => units[index]?.text;
  const isHeader = ({ header }: Unit, index: number) => header === index;
  return units
    .flatMap((unit, index) => {
      if (!isStatement(unit) || unit.isClause || isHeader(unit, index)) return [];
      const part = {
        title,
        section: getText(unit.section) ?? section,
        header: getText(unit.header),
        text: unit.text,
      };
      return [{ start: unit.start, end: unit.end, embedded: buildEmbeddedText(part) }];
    })
    .slice(0, MAX_UNITS);
}
