/** Longer tags are text. */
const MAX_TAG = 5000;
const MAX_STATEMENT_LINES = 100;
const FENCE = /^\s*(`{3,}|~{3,})/;
const IMPORT = /^import\s+(?:[\w$*{},\s]{1,500}?\sfrom\s+)?['"][^'"\n]{1,500}['"];?\s*$/;
const MULTILINE_IMPORT = /^import\s*(?:[\w$]+\s*,\s*)?\{[^}'"]{0,500}$/;
const IMPORT_END = /\}\s*from\s*['"]/;
const EXPORT = /^export\s+(?:const|let|var|function|async|default|class|type|interface)\b/;
const COMMENT = /^\s*\{\/\*.*\*\/\}\s*$/;
/** The attribute that components show as their heading. */
const TITLE = /\stitle=(?:"([^"]{1,200})"|'([^']{1,200})'|\{["'`]([^"'`]{1,200})["'`]\})/;
const COMPONENT = /<\/?[A-Z]/;

/** Turns MDX into Markdown: removes imports, exports and component tags, and keeps the components' titles. */
export function withoutComponents(source: string): { text: string; hasComponents: boolean } {
  const kept: string[] = [];
  let fence: string | undefined;
  let isAfterBlank = true;
  const lines = source.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
    }
    if (fence === undefined && mark === undefined) {
      const skipped = isAfterBlank ? countStatementLines(lines, at) : 0;
      if (skipped > 0) {
        at += skipped - 1;
        continue;
      }
      if (COMMENT.test(line)) continue;
    }
    isAfterBlank = line.trim() === '' || (fence === undefined && IMPORT.test(line));
    kept.push(line);
  }
  const text = kept.join('\n');
  return COMPONENT.test(text) ? withoutTags(text) : { text, hasComponents: false };
}

/** The number of lines of the import or export that begins here. */
function countStatementLines(lines: readonly string[], at: number): number {
  const line = lines[at] ?? '';
  if (IMPORT.test(line)) return 1;
  const isEnd = MULTILINE_IMPORT.test(line)
    ? (text: string) => IMPORT_END.test(text)
    : EXPORT.test(line)
      ? (text: string) => text.trim() === ''
      : undefined;
  if (!isEnd) return 0;
  for (let n = 1; n <= MAX_STATEMENT_LINES && at + n < lines.length; n++) {
    if (isEnd(lines[at + n] ?? '')) return n + 1;
  }
  // A statement that does not end is text, unless the source ends first.
  return at + MAX_STATEMENT_LINES >= lines.length && EXPORT.test(line) ? lines.length - at : 0;
}

function withoutTags(source: string): { text: string; hasComponents: boolean } {
  let text = '';
  let at = 0;
  let hasComponents = false;
  // Code comes first, so that tags within it stay.
  const tokens = /^[ \t]*(`{3,}|~{3,})|(`+)|<\/?[A-Z][\w.]*(?=[\s/>])/gm;
  for (let token = tokens.exec(source); token; token = tokens.exec(source)) {
    const [found, fence, ticks] = token;
    const end =
      fence !== undefined
        ? findFenceEnd(source, tokens.lastIndex, fence)
        : ticks !== undefined
          ? findCodeEnd(source, tokens.lastIndex, ticks)
          : findTagEnd(source, token.index + found.length);
    if (end === undefined) continue;
    tokens.lastIndex = end;
    if (fence !== undefined || ticks !== undefined) continue;
    hasComponents = true;
    const [, a, b, c] = TITLE.exec(source.slice(token.index, end)) ?? [];
    const title = a ?? b ?? c;
    text += source.slice(at, token.index) + (title === undefined ? '' : `\n\n**${title}**\n\n`);
    at = end;
  }
  return { text: text + source.slice(at), hasComponents };
}

function findFenceEnd(source: string, from: number, fence: string): number {
  const end = new RegExp(`^[^\\S\\n]*${fence}`, 'gm');
  end.lastIndex = from;
  return end.exec(source) ? end.lastIndex : source.length;
}

function findCodeEnd(source: string, from: number, ticks: string): number | undefined {
  const end = source.indexOf(ticks, from);
  const paragraph = source.indexOf('\n\n', from);
  return end === -1 || (paragraph !== -1 && paragraph < end) ? undefined : end + ticks.length;
}

/** The position after the `>` that ends a tag, ignoring any in quotes or braces. */
function findTagEnd(source: string, from: number): number | undefined {
  let depth = 0;
  let quote: string | undefined;
  const last = Math.min(source.length, from + MAX_TAG);
  for (let at = from; at < last; at++) {
    const char = source.charAt(at);
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'" || char === '`') quote = char;
    else if (char === '{') depth++;
    else if (char === '}') depth--;
    else if (char === '>' && depth <= 0) return at + 1;
    else if (char === '<' && depth <= 0) return undefined;
  }
  return undefined;
}
