import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hash } from 'bcrypt';
import { Problem } from '../platform/problems/problem.js';
import { BcryptVerifier } from './bcrypt-verifier.js';
import { generateSecret } from './secret.js';

const LOWEST_COST = 4;
const IP = '192.0.2.1';

describe(BcryptVerifier, () => {
  const secret = generateSecret('live');
  const wrong = () => secret.slice(0, 19) + generateSecret('live').slice(19);
  let secretHash: string;
  let verifier: BcryptVerifier;

  beforeAll(async () => {
    secretHash = await hash(secret, LOWEST_COST);
  });

  beforeEach(() => {
    verifier = new BcryptVerifier();
  });

  /** What each of the secrets, all at once, is answered with. */
  const compare = (secrets: string[], ip = IP) =>
    Promise.all(
      secrets.map((one) =>
        verifier
          .matches(one, secretHash, ip)
          .catch((error: unknown) => (error instanceof Problem ? error.code : error)),
      ),
    );

  it('tells the secret of a hash from others', async () => {
    expect(await compare([secret, wrong()])).toEqual([true, false]);
  });

  it('compares two secrets at a time, and refuses a third', async () => {
    expect(await compare([secret, wrong(), wrong()])).toEqual([true, false, 'verification_busy']);
    expect(await compare([secret])).toEqual([true]);
  });

  it('compares a secret once, however often it comes at the same time', async () => {
    expect(await compare(Array<string>(20).fill(secret))).toEqual(Array(20).fill(true));
  });

  it('after five failures compares only while no other compare runs', async () => {
    for (let round = 0; round < 5; round++) expect(await compare([wrong()])).toEqual([false]);
    expect(await compare([wrong(), secret])).toEqual([false, 'verification_busy']);
    expect(await compare([secret])).toEqual([true]);
    expect(await compare([wrong(), secret], '192.0.2.2')).toEqual([false, true]);
  });
});
