import type { Block, ReadingContext } from '../block.js';
import { decodeText } from '../decode-text.js';
import { tidy, tidyCode, tidyLines } from '../tidy.js';
import { BULLET } from '../word/numbering.js';
import { measureIndent, ListDepth } from './list-depth.js';

const HEADING = /^(\*+) (.*)$/;
const HEADING_STATE = /^ *(TODO|DONE) /;
const HEADING_PRIORITY = /^ *\[#\w\] /;
const HEADING_TAGS = / :[\w@#%:]+:$/;
const ITEM = /^(?:[-+]|\*(?= )|(\d{1,9}[.)])) +(?:\[([ Xx-])\] )?(?=\S)/;
const VERBATIM = /^#\+begin_(src|example|export|comment)\b/i;
const FOOTNOTE = /^\[fn:[\w-]+\]/;
const DRAWER = /^:[\w-]+:$/;
const DRAWER_END = /^:end:$/i;
/** Marks of emphasis, of texts that are no longer than a line or two. */
const EMPHASIS = /(^|[\s({'"–—-])([*/_=~+])(\S|\S[^\n]{0,200}?\S)\2(?=$|[\s)}\].,;:!?'"–—-])/gm;

/** Reads Org: headings, lists, tables, code and notes, without drawers, comments and settings. */
export function readOrg(content: Uint8Array, context: ReadingContext): Block[] {
  const lines = decodeText(content, context)
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', '        ')
    .split('\n');
  const lastDrawerEnd = lines.findLastIndex((line) => DRAWER_END.test(line.trim()));
  const blocks: Block[] = [];
  const lists = new ListDepth();
  /** A paragraph, list item or note that goes on with the next line. */
  let open: { lines: string[]; end: (text: string) => Block } | undefined;
  let titleLevels = 0;
  const begin = (first: string, end: (text: string) => Block) => {
    close();
    open = { lines: [first], end };
  };
  const close = () => {
    const text = tidyLines(withoutMarks(open?.lines.join('\n') ?? ''));
    if (open && text !== '') blocks.push(open.end(text));
    open = undefined;
  };

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const trimmed = line.trim();
    const heading = HEADING.exec(line);
    const item = ITEM.exec(trimmed);
    const verbatim = VERBATIM.exec(trimmed)?.[1]?.toLowerCase();
    if (heading) {
      close();
      lists.end();
      const [, stars = '', title = ''] = heading;
      const state = HEADING_STATE.exec(title)?.[1];
      const name = title.trimEnd().replace(HEADING_STATE, '').replace(HEADING_PRIORITY, '');
      const text = tidy(`${toStateMark(state)}${withoutMarks(name.replace(HEADING_TAGS, ''))}`);
      if (text !== '') blocks.push({ kind: 'heading', level: stars.length + titleLevels, text });
      context.progress();
    } else if (verbatim !== undefined) {
      close();
      const code: string[] = [];
      while (++at < lines.length && !/^\s*#\+end_/i.test(lines[at] ?? ''))
        code.push(lines[at] ?? '');
      if (verbatim === 'src' || verbatim === 'example') pushCode(blocks, code);
    } else if (DRAWER.test(trimmed) && at < lastDrawerEnd) {
      close();
      while (!DRAWER_END.test(lines[at]?.trim() ?? '')) at++;
    } else if (trimmed.startsWith('|')) {
      close();
      const table = [trimmed];
      while (lines[at + 1]?.trimStart().startsWith('|')) table.push(lines[++at]?.trim() ?? '');
      pushTable(blocks, table);
    } else if (/^:(?:\s|$)/.test(trimmed)) {
      close();
      const code = [trimmed.slice(2)];
      while (/^\s*:(?:\s|$)/.test(lines[at + 1] ?? ''))
        code.push(lines[++at]?.trim().slice(2) ?? '');
      pushCode(blocks, code);
    } else if (/^#(?:\+|\s|$)/.test(trimmed)) {
      close();
      const [, name = '', value = ''] = /^#\+(\w+):(.*)$/.exec(trimmed) ?? [];
      const text = tidy(withoutMarks(value));
      if (text !== '' && /^title$/i.test(name)) {
        titleLevels = 1;
        blocks.push({ kind: 'heading', level: 1, text });
      } else if (text !== '' && /^caption$/i.test(name)) blocks.push({ kind: 'caption', text });
    } else if (item) {
      const [mark, number, state] = item;
      const text = trimmed.slice(mark.length);
      const depth = lists.depthAt(measureIndent(line));
      const marker = number ?? BULLET;
      begin(`${toStateMark(state)}${text.replace(/\s::(?=\s|$)/, ':')}`, (text) => ({
        kind: 'list-item',
        depth,
        marker,
        text,
      }));
    } else if (FOOTNOTE.test(line)) {
      begin(line.replace(FOOTNOTE, ''), (text) => ({ kind: 'note', text: tidy(text) }));
    } else if (trimmed === '') close();
    else {
      if (measureIndent(line) === 0) lists.end();
      if (open) open.lines.push(line);
      else begin(line, (text) => ({ kind: 'paragraph', text }));
    }
  }
  close();
  return blocks;
}

/** The mark for the state of a task or checkbox. */
function toStateMark(state: string | undefined): string {
  if (state === undefined) return '';
  return state === 'DONE' || state.toUpperCase() === 'X' ? '☒ ' : '☐ ';
}

/** The text without marks of emphasis, links and notes; `\(…\)` is LaTeX. */
const withoutMarks = (text: string): string =>
  text
    .replace(
      /\[\[([^\][]{1,2000})\](?:\[([^\][]{1,2000})\])?\]/g,
      (_, target: string, label?: string) => label ?? target,
    )
    .replace(/\[fn:[\w-]*\]/g, '')
    .replace(EMPHASIS, '$1$3')
    .replace(/\\\((.{1,1000}?)\\\)/gs, (_, formula: string) => `$${formula}$`);

function pushCode(blocks: Block[], lines: readonly string[]): void {
  const text = tidyCode(lines.join('\n'));
  if (text !== '') blocks.push({ kind: 'code', text });
}

function pushTable(blocks: Block[], lines: readonly string[]): void {
  const rule = lines.findIndex((line, at) => at > 0 && line.startsWith('|-'));
  const rows = lines
    .filter((line) => !line.startsWith('|-'))
    .map((line) =>
      line
        .replace(/^\||\|$/g, '')
        .split('|')
        .map((cell) => tidy(withoutMarks(cell))),
    );
  const hasHeader = rows.length > 1 && rule === (lines[0]?.startsWith('|-') ? 2 : 1);
  blocks.push({
    kind: 'table',
    header: hasHeader ? (rows[0] ?? null) : null,
    rows: rows.slice(hasHeader ? 1 : 0).map((cells) => ({ cells })),
  });
}
