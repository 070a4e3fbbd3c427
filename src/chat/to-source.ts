import { citedIndexes } from './citations.js';
import type { SourceDto } from './conversations/source.dto.js';
import type { FoundPassage } from '@latchkey/ranking/search-index';
import type { Quote } from '@latchkey/quoting/reading';
import type { QueryResultDto } from './answer.dto.js';

const SNIPPET_LENGTH = 300;
/**
 * Related snippets are longer, because nothing else is shown: 300 characters contain the answer for .69 of
 * the questions, 900 for .81.
 */
const RELATED_SNIPPET_LENGTH = 900;
export const MAX_RELATED = 3;

export const toResult = (passage: FoundPassage, tables = false): QueryResultDto => ({
  kb_id: passage.kbId,
  chunk_id: passage.passageId,
  document_id: passage.documentId,
  document_version: passage.documentVersion,
  document_title: passage.documentTitle,
  external_id: passage.externalId,
  source_url: passage.sourceUrl,
  heading: passage.heading,
  page: passage.page,
  locator: passage.locator,
  date: passage.date,
  updated_at: passage.updatedAt,
  valid_until: passage.validUntil,
  text: passage.text,
  score: passage.score,
  metadata: passage.metadata,
  ...(tables && passage.cells && { table: passage.cells }),
});

/** The sources of an answer, each with its first quotation. */
export const toSources = (
  passages: readonly FoundPassage[],
  quotes: readonly Quote[] = [],
  snippetLength = SNIPPET_LENGTH,
): SourceDto[] =>
  passages.map((passage, position) =>
    toSource(
      passage,
      position,
      quotes.find((quote) => quote.passage === position),
      snippetLength,
    ),
  );

/**
 * Passages that may help if the question is not answered.
 *
 * @param nearest what comes nearest to an answer in them, best first; passages without one come behind
 */
export function toRelated(
  passages: readonly FoundPassage[],
  nearest: readonly Quote[] = [],
): SourceDto[] {
  const order = new Set([...nearest.map(({ passage }) => passage), ...passages.keys()]);
  const sources = toSources(passages, nearest, RELATED_SNIPPET_LENGTH);
  return [...order]
    .flatMap((position) => sources[position] ?? [])
    .slice(0, MAX_RELATED)
    .map((source, position) => ({ ...source, index: position + 1 }));
}

/** Marks the sources that the answer cites. */
export function withCited(sources: readonly SourceDto[], answer: string): SourceDto[] {
  const cited = citedIndexes(answer);
  return sources.map((source) => ({ ...source, cited: cited.has(source.index) }));
}

function toSource(
  passage: FoundPassage,
  position: number,
  quote: Quote | undefined,
  snippetLength: number,
): SourceDto {
  const { text, metadata, ...source } = toResult(passage);
  return {
    index: position + 1,
    ...source,
    snippet: cutSnippet(text, quote, snippetLength),
    ...(quote && { quote: { text: quote.text, start: quote.start, end: quote.end } }),
  };
}

/** A part of a passage, cut between words: around the quotation, or else at the beginning. */
function cutSnippet(
  text: string,
  quote: { start: number; end: number } = { start: 0, end: 0 },
  length: number,
) {
  if (text.length <= length) return text;
  const margin = Math.max(0, length - (quote.end - quote.start));
  const start = Math.max(0, Math.min(quote.start - margin / 2, text.length - length));
  const end = Math.max(quote.end, Math.floor(start) + length);
  const from = start === 0 ? 0 : wordStart(text, Math.floor(start), quote.start);
  const to = end >= text.length ? text.length : wordEnd(text, end, Math.max(quote.end, from));
  const cut = text.slice(from, to).toWellFormed();
  return `${from > 0 ? '…' : ''}${cut}${to < text.length ? '…' : ''}`;
}

/** The start of the first word from `index`, if there is one in the next half of a snippet. */
function wordStart(text: string, index: number, limit: number): number {
  const space = text.indexOf(' ', index);
  return space >= 0 && space < limit && space - index < SNIPPET_LENGTH / 2 ? space + 1 : index;
}

function wordEnd(text: string, index: number, limit: number): number {
  const space = text.lastIndexOf(' ', index);
  return space >= limit && index - space < SNIPPET_LENGTH / 2 ? space : index;
}
