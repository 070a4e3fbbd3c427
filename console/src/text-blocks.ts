/** A part of a text with a format of its own. */
export type Block =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  /** `first` is the number of the first item; undefined for one with bullets. */
  | { readonly kind: 'list'; readonly items: readonly string[]; readonly first?: number }
  | {
      readonly kind: 'table';
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

const FENCE = /^\s*```/;
const BULLET = /^\s*[-*•]\s+/;
const NUMBERED = /^\s*(\d{1,3})[.)]\s+/;
const SEPARATOR = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*$/;

/** Splits a row with pipes into cells; a line without pipes is one cell. */
export const splitCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

const isRow = (line: string) =>
  /\S\s+\|\s+\S|^\s*\|.*\|\s*$/.test(line) && splitCells(line).length > 1;

/** Splits a text into blocks. Text behind the last cell of a row, such as `[1]`, stays in that cell. */
export function splitBlocks(text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let at = 0;
  const takeWhile = (fits: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    for (let line = lines[at]; line !== undefined && fits(line); line = lines[++at]) {
      taken.push(line);
    }
    return taken;
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    if (FENCE.test(line)) {
      at++;
      const code = takeWhile((each) => !FENCE.test(each)).join('\n');
      at++;
      blocks.push({ kind: 'code', text: code });
    } else if (isRow(line) && isRow(lines[at + 1] ?? '')) {
      const [header = [], ...rows] = takeWhile((each) => isRow(each) || SEPARATOR.test(each))
        .filter((each) => !SEPARATOR.test(each))
        .map(splitCells);
      blocks.push({ kind: 'table', header, rows });
    } else if (BULLET.test(line)) {
      const items = takeWhile((each) => BULLET.test(each));
      blocks.push({ kind: 'list', items: items.map((item) => item.replace(BULLET, '')) });
    } else if (NUMBERED.test(line)) {
      const first = Number(NUMBERED.exec(line)?.[1]);
      const items = takeWhile((each) => NUMBERED.test(each));
      blocks.push({ kind: 'list', first, items: items.map((item) => item.replace(NUMBERED, '')) });
    } else if (line.trim() === '') {
      at++;
    } else {
      const paragraph = takeWhile(
        (each) =>
          each.trim() !== '' &&
          !FENCE.test(each) &&
          !BULLET.test(each) &&
          !NUMBERED.test(each) &&
          !(isRow(each) && isRow(lines[at + 1] ?? '')),
      );
      blocks.push({ kind: 'text', text: paragraph.join('\n') });
    }
  }
  return blocks;
}
