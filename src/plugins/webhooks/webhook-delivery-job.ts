import { Injectable } from '@nestjs/common';
import { QueueWorker } from '../../platform/jobs/queue-worker.js';
import type { DeliveryLease, EndedAttempt } from './delivery-attempt.js';
import { SendingCapacity } from './sending-capacity.js';
import { WebhookDeliveryQueue } from './webhook-delivery-queue.js';
import { WebhookSender } from './webhook-sender.js';

/** How often a process looks for deliveries that are due. */
const POLL_INTERVAL_MS = 1000;
/** How long a shutdown waits for receivers to respond. Aborted deliveries are sent again. */
const STOP_GRACE_MS = 1000;

/** Sends the deliveries of webhooks in the background, to many receivers in parallel. */
@Injectable()
export class WebhookDeliveryJob extends QueueWorker<DeliveryLease> {
  private ended: EndedAttempt[] = [];
  private readonly cutOff = new AbortController();

  constructor(
    private readonly queue: WebhookDeliveryQueue,
    private readonly sender: WebhookSender,
  ) {
    super(POLL_INTERVAL_MS);
  }

  override async beforeApplicationShutdown(): Promise<void> {
    const cutOff = setTimeout(() => {
      this.cutOff.abort();
    }, STOP_GRACE_MS);
    await super.beforeApplicationShutdown();
    clearTimeout(cutOff);
    if (this.ended.length === 0) return;
    // If recording fails, the leases expire and the deliveries are sent again.
    await this.queue
      .advance(this.ended, () => SendingCapacity.none)
      .catch((error: unknown) => {
        this.logger.error(error);
      });
  }

  /** Records ended attempts and leases due deliveries until there are none of either. */
  protected override async run(): Promise<void> {
    let more = true;
    while (more && !this.signal.aborted) {
      const ended = this.ended.splice(0);
      if (ended.length === 0 && (this.isFull() || !(await this.queue.hasDue()))) return;
      try {
        const advanced = await this.queue.advance(ended, () => this.capacity());
        for (const lease of advanced.leases) this.send(lease);
        ({ more } = advanced);
      } catch (error) {
        // A later run records them; until then, their leases keep other processes from sending them.
        this.ended = [...ended, ...this.ended];
        throw error;
      }
    }
  }

  private isFull(): boolean {
    return this.capacity().isFull;
  }

  private capacity(): SendingCapacity {
    return new SendingCapacity(this.running.keys());
  }

  private send(lease: DeliveryLease): void {
    this.begin(lease, async () => {
      const result = await this.sender.send(lease, this.cutOff.signal).catch((error: unknown) => {
        this.logger.error(error);
        return { status: null, error: 'connection_failed' as const };
      });
      this.ended.push({ lease, result });
    });
  }
}
