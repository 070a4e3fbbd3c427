import { Injectable, Logger } from '@nestjs/common';
import { Job, type JobRound } from '../../platform/jobs/job.js';
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
export class WebhookDeliveryJob {
  private readonly logger = new Logger(WebhookDeliveryJob.name);
  private readonly running = new Set<DeliveryLease>();
  private ended: EndedAttempt[] = [];
  private cutOff: AbortSignal | undefined;

  constructor(
    private readonly queue: WebhookDeliveryQueue,
    private readonly sender: WebhookSender,
  ) {}

  /**
   * Records ended attempts and leases due deliveries until there are none of either. The last round, at
   * shutdown, only records.
   */
  @Job({ every: POLL_INTERVAL_MS })
  async sendDue({ signal, begin }: JobRound): Promise<void> {
    const cutOff = (this.cutOff ??= abortLater(signal));
    let more = true;
    while (more) {
      const ended = this.ended.splice(0);
      const isFull = signal.aborted || this.capacity().isFull;
      if (ended.length === 0 && (isFull || !(await this.queue.hasDue()))) return;
      try {
        const advanced = await this.queue.advance(ended, () =>
          signal.aborted ? SendingCapacity.none : this.capacity(),
        );
        for (const lease of advanced.leases) begin(() => this.send(lease, cutOff));
        more = advanced.more && !signal.aborted;
      } catch (error) {
        // A later run records them; until then, their leases keep other processes from sending them.
        this.ended = [...ended, ...this.ended];
        throw error;
      }
    }
  }

  private capacity(): SendingCapacity {
    return new SendingCapacity(this.running);
  }

  private async send(lease: DeliveryLease, cutOff: AbortSignal): Promise<void> {
    this.running.add(lease);
    const result = await this.sender.send(lease, cutOff).catch((error: unknown) => {
      this.logger.error(error);
      return { status: null, error: 'connection_failed' as const };
    });
    this.ended.push({ lease, result });
    this.running.delete(lease);
  }
}

/** Aborted when a shutdown has waited for receivers. */
function abortLater(stop: AbortSignal): AbortSignal {
  const cutOff = new AbortController();
  stop.addEventListener('abort', () => {
    setTimeout(() => {
      cutOff.abort();
    }, STOP_GRACE_MS).unref();
  });
  return cutOff.signal;
}
