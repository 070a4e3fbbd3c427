import type { LinkTo } from '../documents/originals/original-links.js';
import type { ChatEvent } from './chat-event.js';

/** Adds the link to the original, if there may be one: what is stored has none. */
export const withOriginal =
  (linkTo: LinkTo) =>
  <T extends { readonly document_id: string }>(source: T): T => ({
    ...source,
    ...linkTo(source.document_id),
  });

/** @param newLinks called for each event with sources, so that its links are as old as the event */
export async function* withOriginals(
  events: AsyncIterable<ChatEvent> | Iterable<ChatEvent>,
  newLinks: () => LinkTo,
): AsyncGenerator<ChatEvent> {
  for await (const sent of events) yield withLinks(sent, newLinks);
}

function withLinks(sent: ChatEvent, newLinks: () => LinkTo): ChatEvent {
  switch (sent.event) {
    case 'message_start':
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
