import type { AnswerEvent } from './chat-event.js';
import type { LinkTo } from './source-links.js';

/** Builds the link to the original of a document in one of several knowledge bases. */
export type SourceLink = (documentId: string, kbId: string) => ReturnType<LinkTo>;

/** Adds the link to the original, if it is allowed. Stored sources have no link. */
export const withOriginal =
  (linkTo: SourceLink) =>
  <T extends { readonly document_id: string; readonly kb_id: string }>(source: T): T => ({
    ...source,
    ...linkTo(source.document_id, source.kb_id),
  });

/** @param newLinks called for each event with sources, so that its links are as old as the event */
export async function* withOriginals(
  events: AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>,
  newLinks: () => SourceLink,
): AsyncGenerator<AnswerEvent> {
  for await (const sent of events) yield withLinks(sent, newLinks);
}

function withLinks(sent: AnswerEvent, newLinks: () => SourceLink): AnswerEvent {
  switch (sent.event) {
    case 'message_start':
    case 'step':
    case 'delta':
      return sent;
    case 'sources':
      return { ...sent, data: { sources: sent.data.sources.map(withOriginal(newLinks())) } };
    case 'related':
      return { ...sent, data: { related: sent.data.related.map(withOriginal(newLinks())) } };
    case 'message_end': {
      const { sources, related } = sent.data;
      const link = withOriginal(newLinks());
      const links = { sources: sources.map(link), ...(related && { related: related.map(link) }) };
      return { ...sent, data: { ...sent.data, ...links } };
    }
  }
}
