import { createHash } from 'node:crypto';

export interface Challenge {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

/** Does the work of a visitor's browser. */
export function solveChallenge({ algorithm, challenge, maxnumber, salt, signature }: Challenge) {
  for (let number = 0; number <= maxnumber; number++) {
    const hash = createHash('sha256').update(`${salt}${number}`).digest('hex');
    if (hash !== challenge) continue;
    const solution = { algorithm, challenge, number, salt, signature };
    return Buffer.from(JSON.stringify(solution)).toString('base64');
  }
  throw new Error('The challenge has no solution');
}
