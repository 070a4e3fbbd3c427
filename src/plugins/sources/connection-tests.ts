import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/problems/problem.js';

/** Tests that run at once; the process of each may need 1 GB. */
const MAX_RUNNING = 8;
const MAX_RUNNING_EACH = 2;

/** Limits the connections that one user, and all users together, test at once. */
@Injectable()
export class ConnectionTests {
  /** The user of each running test. */
  private readonly running: string[] = [];

  /** @throws Problem `rate_limited`, `worker_unavailable` */
  async run<T>(userId: string, test: () => Promise<T>): Promise<T> {
    const { running } = this;
    if (running.filter((id) => id === userId).length >= MAX_RUNNING_EACH) {
      throw new Problem('rate_limited', { headers: { 'retry-after': '1' } });
    }
    if (running.length >= MAX_RUNNING) throw new Problem('worker_unavailable');
    running.push(userId);
    try {
      return await test();
    } finally {
      running.splice(running.indexOf(userId), 1);
    }
  }
}
