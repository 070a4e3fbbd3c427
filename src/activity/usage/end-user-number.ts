import { toComparableName } from '@latchkey/text/person-name';
import { createHash, randomBytes } from 'node:crypto';

// 52 bits: the probability that two of a million end users share a number is one in ten thousand.
const numberFrom = (bytes: Buffer): string =>
  parseInt(bytes.toString('hex').slice(0, 13), 16).toString(36);

/** What an end user of a knowledge base is counted by, however they are spelled. */
export const endUserNumber = (kbId: string, endUserId: string): string =>
  numberFrom(
    createHash('sha256')
      .update(`${kbId}\n${toComparableName(endUserId)}`)
      .digest(),
  );

/** What the version before counts them by: every spelling on its own. */
export const endUserNumberAsWritten = (kbId: string, endUserId: string): string =>
  numberFrom(createHash('sha256').update(`${kbId}\n${endUserId}`).digest());

/** Takes the place of the number of an end user who was erased; begins with `-`, unlike a number. */
export const anonymousNumber = (): string => `-${numberFrom(randomBytes(7))}`;
