import {
  createHash,
  createHmac,
  type KeyObject,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { parseJson } from '@latchkey/text/parse-json';
import { insertRows } from '../../platform/database/insert-rows.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { Peppers } from '../../platform/peppers/peppers.js';
import type { ChallengeDto } from './visitor.dto.js';
import type { Site } from './site.entity.js';
import { UsedChallenge } from './used-challenge.entity.js';

const ALGORITHM = 'SHA-256';
/** Time enough for a slow phone, and for a page that was open in the background. */
const LIFE_MS = 10 * 60 * 1000;
/** What an office may ask for: with each doubling beyond it, the work doubles. */
const USUAL_PER_MINUTE = 10;
const MAX_BITS = 22;
const MAX_SOLUTION = 2000;

interface Solution {
  readonly algorithm: string;
  readonly challenge: string;
  readonly number: number;
  readonly salt: string;
  readonly signature: string;
}

type Challenged = Pick<Site, 'id' | 'proofOfWork'>;

/**
 * Challenges in the form of ALTCHA: a browser finds the number whose hash with the salt is the challenge. They are
 * signed and not stored; only solved ones are, so that each is used once.
 */
@Injectable()
export class Challenges {
  private readonly keys: readonly KeyObject[];

  constructor(
    peppers: Peppers,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.keys = peppers.derive('latchkey site challenge').map(({ key }) => key);
  }

  /**
   * A new challenge, which half of 2 ** `proofOfWork` hashes solve on average; more for an address that asks for many.
   *
   * @param asked the challenges that this address has asked for in this minute
   */
  create({ id, proofOfWork }: Challenged, asked: number): ChallengeDto {
    const [key] = this.keys;
    if (!key) throw new Error('There is no pepper');
    const more = Math.max(0, Math.floor(Math.log2(asked / USUAL_PER_MINUTE)));
    const maxNumber = 2 ** (proofOfWork && Math.min(MAX_BITS, proofOfWork + more));
    const expires = Math.floor((Date.now() + LIFE_MS) / 1000);
    const salt = `${randomBytes(12).toString('hex')}?expires=${expires}`;
    const challenge = digest(salt, randomInt(maxNumber));
    return {
      algorithm: ALGORITHM,
      challenge,
      maxnumber: maxNumber,
      salt,
      signature: sign(key, id, { salt, challenge }).toString('hex'),
    };
  }

  /**
   * Accepts a solution, once.
   *
   * @param payload the solution as Base64 of JSON
   * @returns false for a solution that is wrong, too late, of another site, or was used before
   */
  async accept({ id, proofOfWork }: Challenged, payload: string | undefined): Promise<boolean> {
    if (proofOfWork === 0) return true;
    const solution = parseSolution(payload);
    if (!solution || !this.isOurs(id, solution)) return false;
    const { challenge, number, salt } = solution;
    const parameters = new URLSearchParams(salt.slice(salt.indexOf('?')));
    const expiresAt = new Date(Number(parameters.get('expires')) * 1000);
    if (!(expiresAt.getTime() > Date.now())) return false;
    return digest(salt, number) === challenge && this.useOnce(challenge, expiresAt);
  }

  private isOurs(site: string, solution: Solution): boolean {
    const given = Buffer.from(solution.signature, 'hex');
    return (
      solution.algorithm === ALGORITHM &&
      this.keys.some((key) => {
        const expected = sign(key, site, solution);
        return given.length === expected.length && timingSafeEqual(given, expected);
      })
    );
  }

  private useOnce(id: string, expiresAt: Date): Promise<boolean> {
    return this.unitOfWork.run(async (manager) => {
      const conflict = 'ON CONFLICT DO NOTHING RETURNING id';
      const rows = await insertRows(manager, UsedChallenge, [{ id, expiresAt }], conflict);
      return rows.length === 1;
    });
  }
}

const digest = (salt: string, number: number) =>
  createHash('sha256').update(`${salt}${number}`).digest('hex');

/** With the salt: its digits at the end could be taken for the first of the number. */
const sign = (
  key: KeyObject,
  site: string,
  { salt, challenge }: Pick<Solution, 'salt' | 'challenge'>,
) => createHmac('sha256', key).update(`${site} ${salt} ${challenge}`).digest();

function parseSolution(payload = ''): Solution | undefined {
  if (payload.length > MAX_SOLUTION) return undefined;
  const { algorithm, challenge, number, salt, signature } = readObject(payload);
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return undefined;
  if (typeof algorithm !== 'string' || typeof challenge !== 'string') return undefined;
  if (typeof salt !== 'string' || typeof signature !== 'string') return undefined;
  return { algorithm, challenge, number, salt, signature };
}

function readObject(payload: string): Partial<Record<keyof Solution, unknown>> {
  try {
    return parseJson(Buffer.from(payload, 'base64').toString()) ?? {};
  } catch {
    return {};
  }
}
