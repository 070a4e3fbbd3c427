import type { ChatAnswerDto, DashboardAnswerDto } from '../../chat/answer.dto.js';

/** An answer of the chat. It has no ids if it is not stored. */
export type GivenAnswer = ChatAnswerDto | DashboardAnswerDto;

/** The fields that OpenAI's answers do not have. */
export const ownFields = ({
  sources,
  answered,
  answer_value,
  kind,
  total,
  curated,
  grounded,
  confidence,
  conflict,
  related,
  message_id,
  conversation_id,
}: GivenAnswer) => ({
  sources,
  answered,
  ...(answer_value !== undefined && { answer_value }),
  ...(kind && { kind }),
  ...(total !== undefined && { total }),
  ...(curated && { curated }),
  ...(grounded !== undefined && { grounded }),
  ...(confidence !== undefined && { confidence }),
  ...(conflict && { conflict }),
  ...(related && { related }),
  message_id,
  conversation_id,
});
