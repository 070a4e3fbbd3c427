import { tokenize } from '@latchkey/text/tokenize';
import type { AnswerDto } from '../../chat/answer.dto.js';

/** Without a language model, this counts words, so that clients still see some usage. */
export function countTokens(
  question: string,
  { answer, usage }: Pick<AnswerDto, 'answer' | 'usage'>,
) {
  const prompt_tokens = usage?.prompt_tokens ?? tokenize(question).length;
  const completion_tokens = usage?.completion_tokens ?? tokenize(answer).length;
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
