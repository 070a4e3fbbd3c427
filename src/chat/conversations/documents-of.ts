import type { Message } from './message.entity.js';

/** The documents that an answer may have its words from: its sources, and those of what its model was told. */
export const documentsOf = ({
  sources,
  toldDocumentIds,
}: Pick<Message, 'toldDocumentIds'> & {
  readonly sources: readonly { readonly document_id: string }[];
}): string[] => [...sources.map(({ document_id }) => document_id), ...(toldDocumentIds ?? [])];
