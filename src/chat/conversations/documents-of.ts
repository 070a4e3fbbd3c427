import { toCitedDocument } from '../../documents/closed-documents.js';
import type { Message } from './message.entity.js';

/**
 * The documents that an answer may have its text from: its sources, and those of its context; see
 * toCitedDocument.
 *
 * @param kbId of the conversation
 */
export const listUsedDocuments = (
  {
    sources,
    contextDocumentIds,
  }: Pick<Message, 'contextDocumentIds'> & {
    readonly sources: readonly { readonly document_id: string; readonly kb_id?: string }[];
  },
  kbId: string,
): string[] => [
  ...sources.map((source) => toCitedDocument(source, kbId)),
  ...(contextDocumentIds ?? []),
];
