import { Injectable, Logger } from '@nestjs/common';
import { Job } from '../../platform/jobs/job.js';
import type { DeliveryLease } from './delivery-attempt.js';
import { MAX_SENDING } from './sending-capacity.js';
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
  private cutOff: AbortSignal | undefined;

  constructor(
    private readonly queue: WebhookDeliveryQueue,
    private readonly sender: WebhookSender,
  ) {}

  @Job({ every: POLL_INTERVAL_MS, queue: WebhookDeliveryQueue, concurrency: MAX_SENDING })
  async send([lease]: readonly [DeliveryLease], signal: AbortSignal): Promise<void> {
    this.cutOff ??= abortLater(signal);
    const result = await this.sender.send(lease, this.cutOff).catch((error: unknown) => {
      this.logger.error(error);
      return { status: null, error: 'connection_failed' as const };
    });
    this.queue.record({ lease, result });
  }
}

/** Aborted when a shutdown has waited for receivers. */
function abortLater(stop: AbortSignal): AbortSignal {
  const cutOff = new AbortController();
  const begin = () => {
    setTimeout(() => {
      cutOff.abort();
    }, STOP_GRACE_MS).unref();
  };
  if (stop.aborted) begin();
  else stop.addEventListener('abort', begin);
  return cutOff.signal;
}
