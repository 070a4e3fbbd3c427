import { createHash, randomBytes } from 'node:crypto';

// 52 bits, which every database and JSON keep exactly: the probability that two of a million end
// users share a number is one in ten thousand.
const numberFrom = (bytes: Buffer): number => parseInt(bytes.toString('hex').slice(0, 13), 16);

/** The number, above 0, that an end user of a knowledge base is counted by. */
export const endUserNumber = (kbId: string, endUserId: string): number =>
  1 + numberFrom(createHash('sha256').update(`${kbId}\n${endUserId}`).digest());

/** A number, below 0, that takes the place of an end user who was erased. */
export const anonymousId = (): number => -1 - numberFrom(randomBytes(7));
