import { Injectable } from '@nestjs/common';
import { compare } from 'bcrypt';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { Problem } from '../problems/problem.js';
import { prefixOf } from './secret.js';

/** More would hold up the process's other work in libuv's threads. */
const MAX_COMPARES = 2;
/** Failures for one lookup id from one address, after which it gets only what others leave. */
const PATIENCE = 5;
const FAILURE_WINDOW_SECONDS = 60;

/**
 * Compares secrets by bcrypt, for keys whose pepper is gone. Bounded, because it costs 50 ms: two
 * compares at a time, one for the same secret however often it comes, and none beside another for
 * who has failed before. Nobody is locked out: a good key gets through by trying again.
 */
@Injectable()
export class SlowVerification {
  private readonly underWay = new Map<string, Promise<boolean>>();
  private readonly failures = new RateLimiterMemory({
    points: PATIENCE,
    duration: FAILURE_WINDOW_SECONDS,
  });

  /** @throws Problem `verification_busy` */
  async matches(secret: string, secretHash: string, ip: string): Promise<boolean> {
    const suspect = `${prefixOf(secret)} ${ip}`;
    const failed = (await this.failures.get(suspect))?.consumedPoints ?? 0;
    const same = this.underWay.get(secret);
    if (same) return same;
    const free = MAX_COMPARES - this.underWay.size;
    if (free < (failed >= PATIENCE ? MAX_COMPARES : 1)) {
      throw new Problem('verification_busy');
    }
    const verdict = compare(secret, secretHash).finally(() => this.underWay.delete(secret));
    this.underWay.set(secret, verdict);
    if (!(await verdict)) await this.failures.penalty(suspect);
    return verdict;
  }
}
