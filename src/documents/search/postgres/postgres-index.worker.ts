import { lowerPriorityOfThread } from '@latchkey/extraction/lower-priority';
import { serializeErrors } from '../../../platform/jobs/worker-answer.js';
import { addBatch } from './add-batch.js';
import { inTransaction } from './index-transaction.js';
import { removeChunks } from './index-writer.js';

lowerPriorityOfThread();

export const add = serializeErrors(addBatch);

export const remove = serializeErrors(
  ({ kbId, chunkNumbers }: { kbId: string; chunkNumbers: number[] }) =>
    inTransaction((transaction) => removeChunks(transaction, kbId, chunkNumbers)),
);
