import type { Archive } from '../archive/archive.js';
import { readXml } from '../archive/xml.js';
import { decodeText } from '../decode-text.js';
import { listElements, parseHtml } from '../html/parse-html.js';
import { getText } from '../html/element-text.js';
import { tidy } from '../tidy.js';
import { type BookPackage, partAt } from './package.js';

/** The titles that the table of contents gives a part: one for the part, or several for chapters within it. */
export interface PartTitles {
  readonly title: string;
  /** Titles at which another chapter begins; none where the part is one chapter. */
  readonly chapters: ReadonlySet<string>;
}

/** The titles of the chapters in the table of contents, by their parts. */
export async function readChapterTitles(
  archive: Archive,
  { contents }: BookPackage,
): Promise<Map<string, PartTitles>> {
  const titles = new Map<string, { title: string; isWhole: boolean; chapters: Set<string> }>();
  if (contents === undefined || !archive.has(contents)) return titles;
  const add = (reference: string, title: string) => {
    const part = partAt(contents, reference);
    if (title === '') return;
    const first = titles.get(part);
    // The first entry of a part is its title, and later entries are sections within it, unless the first
    // entry already points to a place within the part.
    if (!first) {
      titles.set(part, { title, isWhole: !reference.includes('#'), chapters: new Set([title]) });
    } else if (!first.isWhole) first.chapters.add(title);
  };
  if (/\.ncx$/i.test(contents)) await readNcx(archive, contents, add);
  else {
    const html = decodeText(await archive.readWhole(contents));
    for (const element of listElements(parseHtml(html, { isXhtml: true }))) {
      const { href } = element.attribs;
      if (element.name === 'a' && href !== undefined) add(href, tidy(getText(element)));
    }
  }
  return titles;
}

/** Reads a table of contents in the format of EPUB 2. */
async function readNcx(
  archive: Archive,
  part: string,
  add: (reference: string, title: string) => void,
): Promise<void> {
  let title = '';
  let inLabel = false;
  await readXml(archive.read(part), {
    open(name, { src }) {
      if (name === 'navLabel') {
        inLabel = true;
        title = '';
      }
      if (name === 'content' && src !== undefined) add(src, tidy(title));
    },
    text(text) {
      if (inLabel) title += text;
    },
    close(name) {
      if (name === 'navLabel') inLabel = false;
    },
  });
}
