import { toComparableName } from '@latchkey/text/person-name';
import { type FindOptionsWhere, IsNull } from 'typeorm';
import type { Conversation } from './conversation.entity.js';

/** Which conversations are an end user's, in any spelling: one of these holds. */
export const whereEndUser = (
  endUserId: string,
): FindOptionsWhere<Pick<Conversation, 'endUserId' | 'comparedEndUserId'>>[] => [
  { comparedEndUserId: toComparableName(endUserId) },
  { comparedEndUserId: IsNull(), endUserId },
];
