import { hasLength, isBlank } from '../platform/http/text.js';
import { invalidField } from '../platform/problems/problem.js';

const MAX_LENGTH = 8000;

/**
 * Validates the question of a request in another protocol like those of `/query` and `/chat`.
 *
 * @param field the field of the request that contains it
 * @throws Problem `validation_failed` if it is empty, white space only or too long
 */
export function toQuestion(text: string, field: string): { message: string } {
  if (!hasLength(text, 1, MAX_LENGTH) || isBlank(text)) {
    throw invalidField(field, `${field} must have a question of 1 to ${MAX_LENGTH} characters`);
  }
  return { message: text.toWellFormed().replaceAll('\0', '\uFFFD') };
}
