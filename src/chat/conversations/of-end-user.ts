import { toComparableName } from '@latchkey/text/person-name';
import { type FindOptionsWhere, IsNull } from 'typeorm';
import type { Conversation } from './conversation.entity.js';

/** The conditions for an end user's conversations, in any spelling: one of these must hold. */
export const whereEndUser = (
  endUserId: string,
): FindOptionsWhere<Pick<Conversation, 'endUserId' | 'comparedEndUserId'>>[] => [
  { comparedEndUserId: toComparableName(endUserId) },
  { comparedEndUserId: IsNull(), endUserId },
];
