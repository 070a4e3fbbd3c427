import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { hasLength } from '../../platform/http/text.js';
import { invalidField } from '../../platform/problems/problem.js';

const MAX_INSTRUCTIONS = 8000;

/** The instructions and limits that a request asks for. */
interface Requested {
  readonly instructions: readonly string[];
  /** The requested lengths of the answer by parameter. Those above the operator's limit are lowered to it. */
  readonly lengths: Readonly<Record<string, number | null | undefined>>;
}

/**
 * Refuses instructions and lengths with a client token, because it is in the hands of a web page's visitor.
 *
 * @param field names the instructions
 * @throws Problem `validation_failed`
 */
export function requireLimits(
  { endUserId }: ApiKeyPrincipal,
  { instructions, lengths }: Requested,
  field: string,
): void {
  const isToken = endUserId !== undefined;
  if (isToken && instructions.length > 0) {
    throw invalidField(
      field,
      'instructions of the role system or developer are not for client tokens',
    );
  }
  if (!hasLength(instructions.join(''), 0, MAX_INSTRUCTIONS)) {
    const message = `instructions must have at most ${MAX_INSTRUCTIONS} characters together`;
    throw invalidField(field, message);
  }
  const [name] = Object.entries(lengths).find(([, given]) => typeof given === 'number') ?? [];
  if (isToken && name !== undefined) throw invalidField(name, `${name} is not for client tokens`);
}
