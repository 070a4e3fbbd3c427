import { isTypeId } from '../../platform/http/type-id.js';

/** Whether an answer is a curated one. Its `model` is then the id, or several ids separated by commas. */
export const isCuratedModel = (model: string | null): boolean =>
  isTypeId('cur', model?.split(',')[0]);
