import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

/** The main content of a page that declares none, as HTML; undefined if it cannot be told. */
export function likelyContent(html: string): string | undefined {
  // linkedom's types need the DOM's. Without a root it fails.
  const { document } = parseHTML(
    /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`,
  ) as unknown as { document: never };
  return new Readability(document, { charThreshold: 0 }).parse()?.content ?? undefined;
}
