import { lowerPriorityOfThread } from '@latchkey/extraction/lower-priority';
import { indexTasks } from '../index-tasks.js';
import { engine, inTransaction } from './index-transaction.js';

lowerPriorityOfThread();

/** So that other writes do not wait long: postings take most of the time. */
const BATCH = engine ? 250 : 50;

export const { add, remove, move, isInEngine } = indexTasks(inTransaction, BATCH, engine);
