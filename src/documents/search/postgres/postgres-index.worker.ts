import { lowerPriorityOfThread } from '@latchkey/extraction/lower-priority';
import { indexTasks } from '../index-tasks.js';
import { engine, inTransaction } from './index-transaction.js';

lowerPriorityOfThread();

/**
 * Batches are small so that other writes do not wait long; most time goes into postings, which an
 * engine takes over.
 */
const BATCH = engine ? 250 : 50;

export const { add, remove, move, isInEngine } = indexTasks(inTransaction, BATCH, engine);
