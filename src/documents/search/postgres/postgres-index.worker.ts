import { lowerPriorityOfThread } from '@latchkey/extraction/lower-priority';
import { indexTasks } from '../index-tasks.js';
import { inTransaction } from './index-transaction.js';

lowerPriorityOfThread();

/** So that other writes do not wait long. */
const BATCH = 50;

export const { add, remove } = indexTasks(inTransaction, BATCH);
