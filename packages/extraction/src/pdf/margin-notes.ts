import { type Column, selectColumn, countWordsPerSegment } from './columns.js';
import { type PageRow, getUsualSize } from './segment.js';

/** The distance of lines within a note in the margin, as a share of the size of the letters. */
const NOTE_LINE = 1.7;
/** More words per segment mean running text beside margin notes. */
const MARGIN_TEXT_WORDS = 6;
const PROSE_WORDS = 9;
/** A share of the width of all columns. */
const MAX_MARGIN_WIDTH = 0.35;
/**
 * If a larger share of the lines has a note next to it, the notes may be the first column of a
 * table.
 */
const MAX_NOTED = 0.6;

/** Whether headings or notes stand in the margin of a text. */
export function hasNotes(region: readonly PageRow[], columns: readonly Column[]): boolean {
  const [margin, text, ...others] = columns;
  if (!margin || !text || others.length > 0) return false;
  if (margin.right - margin.left >= MAX_MARGIN_WIDTH * (text.right - margin.left)) return false;
  const noted = region.filter(({ segments }) => segments.length > 1).length;
  const words = countWordsPerSegment(selectColumn(region, text));
  return words > (noted < region.length * MAX_NOTED ? MARGIN_TEXT_WORDS : PROSE_WORDS);
}

/** Puts each note of the margin before the text next to it. */
export function putNotesBesideText(
  region: readonly PageRow[],
  [margin, text]: readonly Column[],
): PageRow[] {
  if (!margin || !text) return [...region];
  const notes = selectColumn(region, margin);
  const rows: PageRow[] = [];
  let taken = 0;
  for (const row of selectColumn(region, text)) {
    for (let note = notes[taken]; note && note.y >= row.y - 1; note = notes[taken]) {
      // A note of several lines stays one.
      do {
        rows.push(note);
        const next: PageRow | undefined = notes[++taken];
        const isSame = next && note.y - next.y < NOTE_LINE * getUsualSize(next);
        if (!isSame) break;
        note = next;
      } while (taken < notes.length);
    }
    rows.push(row);
  }
  return [...rows, ...notes.slice(taken)];
}
