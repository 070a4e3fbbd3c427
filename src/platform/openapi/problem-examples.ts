import { idSchema } from './api-fields.js';
import {
  invalidField,
  Problem,
  type ProblemCode,
  PROBLEMS,
  quotaReached,
} from '../problems/problem.js';

export const EXAMPLE_REQUEST_ID = '0c8c1c9e-6b0e-4c1b-9d39-9d1a2f7c5d54';

/** Problems with more than their code. */
const EXAMPLES: Partial<Record<ProblemCode, Problem>> = {
  validation_failed: invalidField('name', 'name must have 1 to 100 characters'),
  quota_reached: quotaReached('MAX_DOCUMENTS_PER_KNOWLEDGE_BASE', 1_000_000),
  duplicate_document: new Problem('duplicate_document', {
    extensions: { existing_document_id: idSchema('doc').example },
  }),
};

export const exampleProblem = (code: ProblemCode): Problem => EXAMPLES[code] ?? new Problem(code);

/** An example of every problem, for `components.examples` of the OpenAPI document. */
export const problemExamples = () =>
  Object.fromEntries(
    (Object.keys(PROBLEMS) as ProblemCode[])
      // They answer methods that are not in the document, and in OpenAI’s form only.
      .filter((code) => code !== 'method_not_allowed' && code !== 'model_not_found')
      .map((code) => [
        code,
        { summary: code, value: exampleProblem(code).toBody(EXAMPLE_REQUEST_ID) },
      ]),
  );
