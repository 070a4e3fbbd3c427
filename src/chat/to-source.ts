import { citedIndexes } from './citations.js';
import type { SourceDto } from './conversations/source.dto.js';
import type { FoundPassage } from '@latchkey/ranking/search-index';
import type { Quote } from '@latchkey/quoting/read-passages';
import type { QueryResultDto } from './answer.dto.js';

const SNIPPET_LENGTH = 300;
export const MAX_RELATED = 3;

export const toResult = (passage: FoundPassage, tables = false): QueryResultDto => ({
  chunk_id: passage.passageId,
  document_id: passage.documentId,
  document_title: passage.documentTitle,
  external_id: passage.externalId,
  source_url: passage.sourceUrl,
  heading: passage.heading,
  page: passage.page,
  locator: passage.locator,
  text: passage.text,
  score: passage.score,
  metadata: passage.metadata,
  ...(tables && passage.cells && { table: passage.cells }),
});

/** The sources of an answer, each with the first of what is quoted from it. */
export const toSources = (
  passages: readonly FoundPassage[],
  quotes: readonly Quote[] = [],
): SourceDto[] =>
  passages.map((passage, position) =>
    toSource(
      passage,
      position,
      quotes.find((quote) => quote.passage === position),
    ),
  );

/**
 * Passages that may help where the question is not answered: first those with what would have been
 * quoted, then the best ones of the search.
 */
export function toRelated(
  passages: readonly FoundPassage[],
  quotes: readonly Quote[] = [],
): SourceDto[] {
  const order = new Set([...quotes.map(({ passage }) => passage), ...passages.keys()]);
  const sources = toSources(passages, quotes);
  return [...order]
    .flatMap((position) => sources[position] ?? [])
    .slice(0, MAX_RELATED)
    .map((source, position) => ({ ...source, index: position + 1 }));
}

/** Sources that say whether the answer cites them. */
export function withCited(sources: readonly SourceDto[], answer: string): SourceDto[] {
  const cited = citedIndexes(answer);
  return sources.map((source) => ({ ...source, cited: cited.has(source.index) }));
}

function toSource(passage: FoundPassage, position: number, quote: Quote | undefined): SourceDto {
  const { text, metadata, ...source } = toResult(passage);
  return {
    index: position + 1,
    ...source,
    snippet: snippetOf(text, quote),
    ...(quote && { quote: { text: quote.text, start: quote.start, end: quote.end } }),
  };
}

/** A part of a passage, cut between words: around what is quoted, else its beginning. */
function snippetOf(text: string, quote: { start: number; end: number } = { start: 0, end: 0 }) {
  if (text.length <= SNIPPET_LENGTH) return text;
  const margin = Math.max(0, SNIPPET_LENGTH - (quote.end - quote.start));
  const start = Math.max(0, Math.min(quote.start - margin / 2, text.length - SNIPPET_LENGTH));
  const end = Math.max(quote.end, Math.floor(start) + SNIPPET_LENGTH);
  const from = start === 0 ? 0 : wordStart(text, Math.floor(start), quote.start);
  const to = end >= text.length ? text.length : wordEnd(text, end, Math.max(quote.end, from));
  const cut = text.slice(from, to).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`;
}

/** The first beginning of a word from `index`, unless there is none within half of what is left. */
function wordStart(text: string, index: number, limit: number): number {
  const space = text.indexOf(' ', index);
  return space >= 0 && space < limit && space - index < SNIPPET_LENGTH / 2 ? space + 1 : index;
}

function wordEnd(text: string, index: number, limit: number): number {
  const space = text.lastIndexOf(' ', index);
  return space >= limit && index - space < SNIPPET_LENGTH / 2 ? space : index;
}
