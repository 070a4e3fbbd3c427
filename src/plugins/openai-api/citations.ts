import type { SourceDto } from '../../chat/conversations/source.dto.js';
import type { UrlCitationDto } from './openai-answers.dto.js';

/** Finds the position of each `[n]` in an answer, and the source that it cites. */
export const findCitations = (answer: string, sources: readonly SourceDto[]): UrlCitationDto[] =>
  [...answer.matchAll(/\[(\d{1,3})\]/g)].flatMap(({ 0: citation, 1: index, index: start }) => {
    const source = sources.find((each) => each.index === Number(index));
    return source
      ? [
          {
            start_index: start,
            end_index: start + citation.length,
            title: source.document_title,
            url: source.source_url ?? `urn:latchkey:document:${source.document_id}`,
          },
        ]
      : [];
  });
