import type { ChatAnswerDto, DashboardAnswerDto } from '../../chat/answer.dto.js';

/** An answer of the chat; without ids where it is not kept. */
export type GivenAnswer = ChatAnswerDto | DashboardAnswerDto;

/** What OpenAI's answers do not have. */
export const ownFields = ({
  sources,
  answered,
  kind,
  curated,
  grounded,
  related,
  message_id,
  conversation_id,
}: GivenAnswer) => ({
  sources,
  answered,
  ...(kind && { kind }),
  ...(curated && { curated }),
  ...(grounded !== undefined && { grounded }),
  ...(related && { related }),
  message_id,
  conversation_id,
});
