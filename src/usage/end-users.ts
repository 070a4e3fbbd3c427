import { createHash, randomBytes } from 'node:crypto';

// 52 bits, which every database and JSON keep exactly: that two of a million end users share a
// number is as likely as one in ten thousand.
const numberFrom = (bytes: Buffer): number => parseInt(bytes.toString('hex').slice(0, 13), 16);

/** What stands for an end user of a knowledge base in what is counted: above 0. */
export const endUserNumber = (kbId: string, endUserId: string): number =>
  1 + numberFrom(createHash('sha256').update(`${kbId}\n${endUserId}`).digest());

/** What stands for somebody who has been forgotten: below 0. */
export const nobodysNumber = (): number => -1 - numberFrom(randomBytes(7));
