import type { DeliveryLease } from './delivery-attempt.js';

/** Deliveries that one process sends at a time. They mostly wait for receivers, so it can be many. */
export const MAX_SENDING = 256;
/**
 * How many of them may go to receivers that failed the last time. Receivers that do not respond would
 * otherwise use up the whole capacity.
 */
const MAX_FAILING = MAX_SENDING / 2;
/** How many of them may belong to one user, over all webhooks and knowledge bases of the user. */
const MAX_OF_USER = MAX_SENDING / 4;

/** How many deliveries a process can begin to send. */
export class SendingCapacity {
  static readonly none = new SendingCapacity([], 0);

  private left: number;
  private failing = MAX_FAILING;
  private readonly ofUsers = new Map<string, number>();

  /** @param leases the deliveries that are being sent */
  constructor(leases: Iterable<DeliveryLease>, max = MAX_SENDING) {
    this.left = max;
    for (const lease of leases) this.take(lease, 1);
  }

  get isFull(): boolean {
    return this.left <= 0;
  }

  /** Finds the limit that applies to the deliveries of a webhook, and how many may begin. */
  findLimit({ webhook, userId }: Pick<DeliveryLease, 'webhook' | 'userId'>): {
    readonly places: number;
    readonly limit: 'process' | 'failing' | 'user';
  } {
    const limits = [
      { limit: 'process', places: this.left },
      { limit: 'user', places: MAX_OF_USER - (this.ofUsers.get(userId) ?? 0) },
      { limit: 'failing', places: webhook.failing ? this.failing : Infinity },
    ] as const;
    const [least] = limits.toSorted((one, other) => one.places - other.places);
    return { limit: least?.limit ?? 'process', places: Math.max(0, least?.places ?? 0) };
  }

  take({ webhook, userId }: Pick<DeliveryLease, 'webhook' | 'userId'>, count: number): void {
    this.left -= count;
    if (webhook.failing) this.failing -= count;
    this.ofUsers.set(userId, (this.ofUsers.get(userId) ?? 0) + count);
  }
}
