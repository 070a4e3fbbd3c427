import { toCitedDocument } from '../../documents/closed-documents.js';
import type { Message } from './message.entity.js';

/**
 * The documents that an answer may have its words from: its sources, and those of what its model was told;
 * see toCitedDocument.
 *
 * @param kbId of the conversation
 */
export const documentsOf = (
  {
    sources,
    toldDocumentIds,
  }: Pick<Message, 'toldDocumentIds'> & {
    readonly sources: readonly { readonly document_id: string; readonly kb_id?: string }[];
  },
  kbId: string,
): string[] => [
  ...sources.map((source) => toCitedDocument(source, kbId)),
  ...(toldDocumentIds ?? []),
];
