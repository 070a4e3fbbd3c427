import type { ModelConfig } from '../../platform/config/config.js';
import { invalidField } from '../../platform/problems/problem.js';

/** The name for answers that are quoted without a language model, in place of a model's name. */
export const EXTRACTIVE = 'extractive';

const allowedModels = (model: ModelConfig | undefined) => [EXTRACTIVE, ...(model?.models ?? [])];

/**
 * The chosen model of a knowledge base; null for the operator's choice, also if the chosen one is no longer
 * allowed.
 */
export const allowedModel = (model: ModelConfig | undefined, name: string | null) =>
  name !== null && allowedModels(model).includes(name) ? name : null;

/**
 * @param field the field of the request that names it
 * @throws Problem `validation_failed`
 */
export function requireAllowedModel(
  model: ModelConfig | undefined,
  name: string | null | undefined,
  field: string,
): void {
  if (name === null || name === undefined) return;
  const allowed = allowedModels(model);
  if (allowed.includes(name)) return;
  throw invalidField(
    field,
    `${field} must be one of these, or one that the operator adds to LLM_MODELS: ${allowed.join(', ')}`,
  );
}
