import { hasLength } from '../http/text.js';
import { invalidField } from '../problems/problem.js';

const MAX_LENGTH = 8000;

/**
 * The question of another protocol's request, as `/query` and `/chat` have it.
 *
 * @param field where the request has it
 * @throws Problem `validation_failed` as they do for a message that is empty or too long
 */
export function toQuestion(text: string, field: string): { message: string } {
  if (!hasLength(text, 1, MAX_LENGTH)) {
    throw invalidField(field, `${field} must have a question of 1 to ${MAX_LENGTH} characters`);
  }
  return { message: text.toWellFormed().replaceAll('\0', '\uFFFD') };
}
