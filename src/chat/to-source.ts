import type { SourceDto } from './conversations/source.dto.js';
import type { Passage } from '@latchkey/ranking/search-index';
import type { QueryResultDto } from './answer.dto.js';

const SNIPPET_LENGTH = 300;

export const toResult = (passage: Passage): QueryResultDto => ({
  chunk_id: passage.chunkId,
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
});

export function toSource(passage: Passage, position: number): SourceDto {
  const { text, metadata, ...source } = toResult(passage);
  return { index: position + 1, ...source, snippet: snippetOf(text) };
}

/** The beginning of a passage, cut between words. */
function snippetOf(text: string): string {
  if (text.length <= SNIPPET_LENGTH) return text;
  const cut = text.slice(0, SNIPPET_LENGTH);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), SNIPPET_LENGTH / 2)).toWellFormed()}…`;
}
