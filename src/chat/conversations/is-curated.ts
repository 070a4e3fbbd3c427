import { isTypeId } from '../../platform/http/type-id.js';

/** Whether an answer is a curated one: its `model` is the id, or several with commas between them. */
export const isCurated = (model: string | null): boolean => isTypeId('cur', model?.split(',')[0]);
