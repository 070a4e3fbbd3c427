import type { Archive } from '../archive/archive.js';
import { readXml } from '../archive/xml.js';
import { decodeText } from '../decode-text.js';
import { elementsOf, parseHtml } from '../html/parse-html.js';
import { textOf } from '../html/walk.js';
import { tidy } from '../tidy.js';
import { type BookPackage, partAt } from './package.js';

/** The titles of the chapters in the table of contents, by their parts. */
export async function chapterTitlesOf(
  archive: Archive,
  { contents }: BookPackage,
): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  if (contents === undefined || !archive.has(contents)) return titles;
  const add = (reference: string, title: string) => {
    const part = partAt(contents, reference);
    // The first entry of a part is its title; later ones are of sections within it.
    if (title !== '' && !titles.has(part)) titles.set(part, title);
  };
  if (/\.ncx$/i.test(contents)) await readNcx(archive, contents, add);
  else {
    const html = decodeText(await archive.readWhole(contents));
    for (const element of elementsOf(parseHtml(html, { isXhtml: true }))) {
      const { href } = element.attribs;
      if (element.name === 'a' && href !== undefined) add(href, tidy(textOf(element)));
    }
  }
  return titles;
}

/** The form of EPUB 2. */
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
