import { posix } from 'node:path';
import type { Archive } from '../archive/archive.js';
import { attribute, readXml } from '../archive/xml.js';

const MAX_CHAPTERS = 10_000;

/** The contents of a book, as names of parts of its archive. */
export interface BookPackage {
  /** In reading order, without the table of contents. */
  readonly chapters: readonly string[];
  /** The table of contents, as XHTML or in the form of EPUB 2. */
  readonly contents: string | undefined;
}

export async function readPackage(archive: Archive, part: string): Promise<BookPackage> {
  const items = new Map<string, string>();
  const spine: string[] = [];
  let navigation: string | undefined;
  let ncx: string | undefined;
  await readXml(archive.read(part), {
    open(name, attributes) {
      if (name === 'item') {
        const target = partAt(part, attribute(attributes, 'href') ?? '');
        items.set(attribute(attributes, 'id') ?? '', target);
        const properties = attribute(attributes, 'properties')?.split(/\s+/) ?? [];
        if (properties.includes('nav')) navigation = target;
        if (attribute(attributes, 'media-type') === 'application/x-dtbncx+xml') ncx = target;
      } else if (name === 'itemref' && spine.length < MAX_CHAPTERS) {
        const target = items.get(attribute(attributes, 'idref') ?? '');
        if (target !== undefined) spine.push(target);
      }
    },
  });
  const chapters = [...new Set(spine)].filter((chapter) => chapter !== navigation);
  return { chapters, contents: navigation ?? ncx };
}

/** The name of a part that another one refers to, without a place within it. */
export function partAt(from: string, reference: string): string {
  const [path = ''] = reference.split('#');
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // The name contains a literal percent sign.
  }
  return posix.join(posix.dirname(from), decoded);
}
