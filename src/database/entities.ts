import { ApiKey } from '../api-keys/api-key.entity.js';
import { Conversation } from '../conversations/conversation.entity.js';
import { Message } from '../conversations/message.entity.js';
import { Chunk } from '../documents/chunk.entity.js';
import { DocumentContent } from '../documents/document-content.entity.js';
import { Document } from '../documents/document.entity.js';
import { KnowledgeBaseMember } from '../knowledge-bases/knowledge-base-member.entity.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';

/** Every table, for the data source; the one place that looks up the list of rooms. */
export const entities = [
  KnowledgeBase,
  KnowledgeBaseMember,
  ApiKey,
  Document,
  DocumentContent,
  Chunk,
  Conversation,
  Message,
];
