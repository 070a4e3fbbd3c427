import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';

/** Guesses the main content of a page that declares none, as HTML; undefined if it cannot be guessed. */
export function guessContent(html: string): string | undefined {
  // linkedom's types need those of the DOM, and it fails without a root element.
  const { document } = parseHTML(
    /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`,
  ) as unknown as { document: never };
  return new Readability(document, { charThreshold: 0 }).parse()?.content ?? undefined;
}
