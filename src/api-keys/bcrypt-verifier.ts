import { Injectable } from '@nestjs/common';
import { compare } from 'bcrypt';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { limitedAddress } from '../platform/config/ip-address.js';
import { Problem } from '../platform/problems/problem.js';
import { parsePrefix } from './secret.js';

/** bcrypt runs in libuv's four threads, which files and DNS also need. */
const MAX_COMPARES = 2;
/** The failures per lookup id and address after which a comparison runs only while no other does. */
const MAX_FAILURES = 5;
const FAILURE_WINDOW_SECONDS = 60;

/**
 * Compares secrets by bcrypt, for keys whose pepper is no longer configured. A comparison takes 50 ms, so
 * only two run at a time, and parallel requests with the same secret share one. Failed comparisons lock
 * nobody out: a client with the right secret succeeds by retrying.
 */
@Injectable()
export class BcryptVerifier {
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly failures = new RateLimiterMemory({
    points: MAX_FAILURES,
    duration: FAILURE_WINDOW_SECONDS,
  });

  /** @throws Problem `verification_busy` */
  async matches(secret: string, secretHash: string, ip: string): Promise<boolean> {
    const subject = `${parsePrefix(secret)} ${limitedAddress(ip)}`;
    const failed = (await this.failures.get(subject))?.consumedPoints ?? 0;
    const same = this.running.get(secret);
    if (same) return same;
    const allowed = failed >= MAX_FAILURES ? 1 : MAX_COMPARES;
    if (this.running.size >= allowed) throw new Problem('verification_busy');
    const comparison = compare(secret, secretHash).finally(() => this.running.delete(secret));
    this.running.set(secret, comparison);
    if (!(await comparison)) await this.failures.penalty(subject);
    return comparison;
  }
}
