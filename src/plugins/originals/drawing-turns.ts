import { Injectable } from '@nestjs/common';
import { Problem } from '../../platform/problems/problem.js';

/** The maximum number of pages drawn at once; each process may need 640 MB. */
const MAX_RUNNING = 2;
const MAX_WAITING = 20;
/** The limit per credential, enough for somebody paging through a document. */
const MAX_WAITING_EACH = 2;

interface Turn {
  readonly owner: string;
  readonly begin: () => void;
}

/** Lets each credential draw one page at a time, and limits how many are drawn at once. */
@Injectable()
export class DrawingTurns {
  private readonly running = new Set<string>();
  private readonly waiting: Turn[] = [];

  /**
   * @param owner the credential
   * @throws Problem `rate_limited`, `worker_unavailable`
   */
  async run<T>(owner: string, draw: () => Promise<T>): Promise<T> {
    await this.waitForTurn(owner);
    try {
      return await draw();
    } finally {
      this.running.delete(owner);
      this.beginNext();
    }
  }

  private async waitForTurn(owner: string): Promise<void> {
    const { waiting } = this;
    if (waiting.filter((turn) => turn.owner === owner).length >= MAX_WAITING_EACH) {
      throw new Problem('rate_limited', { headers: { 'retry-after': '1' } });
    }
    if (waiting.length >= MAX_WAITING) throw new Problem('worker_unavailable');
    await new Promise<void>((resolve) => {
      waiting.push({ owner, begin: resolve });
      this.beginNext();
    });
  }

  private beginNext(): void {
    if (this.running.size >= MAX_RUNNING) return;
    const index = this.waiting.findIndex(({ owner }) => !this.running.has(owner));
    const [next] = index < 0 ? [] : this.waiting.splice(index, 1);
    if (!next) return;
    this.running.add(next.owner);
    next.begin();
  }
}
