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

/** Replaces the number of an erased end user. It begins with `-`, unlike a number. */
export const anonymousNumber = (): string => `-${numberFrom(randomBytes(7))}`;
