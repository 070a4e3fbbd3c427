import { readFileSync } from 'node:fs';

export interface Snippet {
  /** The heading that it stands under. */
  readonly heading: string;
  readonly language: string;
  readonly code: string;
}

/** The fenced blocks of a Markdown file, in order. */
export function snippetsOf(path: string): Snippet[] {
  const snippets: Snippet[] = [];
  let heading = '';
  let open: { language: string; lines: string[] } | undefined;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, fence] = /^```(\w*)$/.exec(line) ?? [];
    if (fence === undefined) {
      if (open) open.lines.push(line);
      else if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    } else if (open) {
      snippets.push({ heading, language: open.language, code: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else open = { language: fence, lines: [] };
  }
  return snippets;
}
