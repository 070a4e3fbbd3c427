import { idSchema } from '../openapi/api-fields.js';
import { Problem, type ProblemCode, type ProblemOptions, PROBLEMS } from './problem.js';

const REQUEST_ID = '0c8c1c9e-6b0e-4c1b-9d39-9d1a2f7c5d54';

/** What a problem tells beyond its code. */
const DETAILS: Partial<Record<ProblemCode, ProblemOptions>> = {
  validation_failed: {
    errors: [{ field: 'name', message: 'name must have 1 to 100 characters' }],
  },
  quota_reached: {
    detail: 'There is no room for more: MAX_DOCUMENTS_PER_KNOWLEDGE_BASE is 1000000.',
    extensions: { quota: 'MAX_DOCUMENTS_PER_KNOWLEDGE_BASE' },
  },
  duplicate_document: { extensions: { existing_document_id: idSchema('doc').example } },
};

/** Every problem as it comes over the wire, for `components.examples` of the document. */
export const problemExamples = () =>
  Object.fromEntries(
    (Object.keys(PROBLEMS) as ProblemCode[])
      // The answer to methods that are not documented.
      .filter((code) => code !== 'method_not_allowed')
      .map((code) => [
        code,
        { summary: code, value: new Problem(code, DETAILS[code]).toBody(REQUEST_ID) },
      ]),
  );

/** The examples of these problems, by reference. */
export const exampleRefs = (codes: ProblemCode[]) =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
