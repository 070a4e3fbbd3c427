/** The user who makes a change, and the request. A DashboardUser has these fields. */
export interface Actor {
  readonly id: string;
  /** See DashboardUser. */
  readonly writtenId?: string;
  readonly requestId: string;
}

/** Changes made by somebody. */
export const CHANGES = [
  'knowledge_base.created',
  'knowledge_base.updated',
  'knowledge_base.reindexed',
  'knowledge_base.deleted',
  'knowledge_base.asked_as',
  'settings.updated',
  'legal_hold.set',
  'legal_hold.lifted',
  'access_set.created',
  'access_set.updated',
  'access_set.deleted',
  'member.added',
  'member.role_changed',
  'member.removed',
  'invitation.created',
  'invitation.withdrawn',
  'invitation.accepted',
  'api_key.created',
  'api_key.reissued',
  'api_key.updated',
  'api_key.revoked',
  'api_key.rotated',
  'api_key.deleted',
  'api_key.taken_out',
  'api_key.reported_as_leaked',
  'api_key.portal_link_created',
  'api_key.portal_opened',
  'agent.connected',
  'agent.disconnected',
  'trusted_issuer.created',
  'trusted_issuer.deleted',
  'service_account.created',
  'service_account.updated',
  'service_account.deleted',
  'document.added',
  'document.replaced',
  'document.restored',
  'document.updated',
  'document.reindexed',
  'document.deleted',
  'curated_answer.created',
  'curated_answer.updated',
  'curated_answer.deleted',
  'conversation.deleted',
  'conversations.erased',
  'source.created',
  'source.updated',
  'source.run_requested',
  'source.deleted',
  'site.created',
  'site.updated',
  'site.deleted',
  'channel.created',
  'channel.updated',
  'channel.deleted',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.activated',
  'webhook.deactivated',
  'webhook.deleted',
] as const;

export type Change = (typeof CHANGES)[number];

/** Events that nobody caused, or that change nothing. */
export type Occurrence =
  | 'api_key.budget_reached'
  | 'api_key.expiring'
  | 'api_key.used_after_revocation'
  | 'api_key.used_after_rotation'
  | 'document.failed'
  | 'document.ready'
  | 'message.rated'
  | 'message.unanswered'
  | 'source.failed'
  | 'source.recovered';

/** Ids and states of the object of an event; never a secret or the text of a document. */
export type EventData = Readonly<Record<string, string | number | boolean | null>>;

interface EventOf<Action extends string> {
  /** The knowledge base or service account in which it happened. */
  readonly kbId: string;
  readonly action: Action;
  /** The data for subscribers. Nobody can subscribe to an event without it. */
  readonly data?: EventData;
}

/** A change with its details; never a secret. */
export interface ChangeEvent extends EventOf<Change> {
  readonly actor: Actor;
  readonly targetId: string;
  readonly details: object;
}

type OccurrenceEvent = EventOf<Occurrence> &
  Readonly<Partial<Record<Exclude<keyof ChangeEvent, keyof EventOf<Change>>, undefined>>>;

export type Event = ChangeEvent | OccurrenceEvent;
