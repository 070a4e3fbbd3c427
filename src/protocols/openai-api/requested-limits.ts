import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { hasLength } from '../../platform/http/text.js';
import { invalidField } from '../../platform/problems/problem.js';
import type { ChatCompletionRequestDto } from './chat-completion-request.dto.js';
import { textOf } from './openai-fields.js';

const MAX_INSTRUCTIONS = 8000;

/** The instructions that a request adds to those of the knowledge base. */
export const instructionsOf = ({ messages }: ChatCompletionRequestDto): string[] =>
  messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(({ content }) => textOf(content));

/**
 * A client token is in the hands of a web page's visitor, who sets neither instructions nor the length
 * of answers.
 *
 * @param maxTokens of an answer, as the operator has it
 * @throws Problem `validation_failed`
 */
export function requireLimits(
  { endUserId }: ApiKeyPrincipal,
  dto: ChatCompletionRequestDto,
  maxTokens: number,
): void {
  const isToken = endUserId !== undefined;
  const instructions = instructionsOf(dto);
  if (isToken && instructions.length > 0) {
    const message = 'messages of the roles system and developer are not for client tokens';
    throw invalidField('messages', message);
  }
  if (!hasLength(instructions.join(''), 0, MAX_INSTRUCTIONS)) {
    const message = `messages of the roles system and developer must have at most ${MAX_INSTRUCTIONS} characters together`;
    throw invalidField('messages', message);
  }
  for (const name of ['max_tokens', 'max_completion_tokens'] as const) {
    const given = dto[name];
    if (given === undefined || given === null) continue;
    if (isToken) throw invalidField(name, `${name} is not for client tokens`);
    if (given > maxTokens) throw invalidField(name, `${name} must be at most ${maxTokens}`);
  }
}
