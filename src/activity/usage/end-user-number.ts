import { toComparableName } from '@latchkey/text/person-name';
import { createHash, randomBytes } from 'node:crypto';

// With 52 bits, the probability that two of a million end users share a number is one in ten thousand.
const numberFrom = (bytes: Buffer): string =>
  parseInt(bytes.toString('hex').slice(0, 13), 16).toString(36);

/** The number that an end user of a knowledge base is counted by, in any spelling. */
export const endUserNumber = (kbId: string, endUserId: string): string =>
  numberFrom(
    createHash('sha256')
      .update(`${kbId}\n${toComparableName(endUserId)}`)
      .digest(),
  );

/** The number that the previous version of the service counts them by: each spelling has its own. */
export const endUserNumberAsWritten = (kbId: string, endUserId: string): string =>
  numberFrom(createHash('sha256').update(`${kbId}\n${endUserId}`).digest());

/** Replaces the number of an erased end user. It begins with `-`, unlike a number. */
export const anonymousNumber = (): string => `-${numberFrom(randomBytes(7))}`;
