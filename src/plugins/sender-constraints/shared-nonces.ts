import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Peppers } from '../../platform/peppers/peppers.js';

const HOUR_MS = 60 * 60 * 1000;
/** The clocks of the processes may differ. */
const AHEAD_MS = 5 * 60 * 1000;

const sign = (key: Parameters<typeof createHmac>[1], time: string) =>
  createHmac('sha256', key).update(time).digest().subarray(0, 16);

/** Nonces that every process accepts: signed by a key that they share. */
@Injectable()
export class SharedNonces {
  private readonly keys: ReturnType<Peppers['derive']>;

  constructor(peppers: Peppers) {
    this.keys = peppers.derive('latchkey DPoP nonce');
  }

  create(now = Date.now()): string {
    const time = now.toString(36);
    return `${time}.${sign(this.keys[0].key, time).toString('base64url')}`;
  }

  /**
   * @returns `ending` if its client should try a nonce of one process again; undefined if it is not
   *   accepted
   */
  check(nonce: string, now = Date.now()): 'current' | 'ending' | undefined {
    const [, time = '', mac = ''] = /^([\da-z]{1,9})\.([\w-]{22})$/.exec(nonce) ?? [];
    const signature = Buffer.from(mac, 'base64url');
    if (signature.length !== 16) return undefined;
    const isSigned = this.keys.some(({ key }) => timingSafeEqual(sign(key, time), signature));
    const age = now - parseInt(time, 36);
    if (!isSigned || age < -AHEAD_MS || age > 2 * HOUR_MS) return undefined;
    return age > HOUR_MS ? 'ending' : 'current';
  }
}
