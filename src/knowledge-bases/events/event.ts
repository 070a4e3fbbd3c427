/** The user who makes a change, and the request; a DashboardUser has these fields. */
export interface Actor {
  readonly id: string;
  /** See DashboardUser. */
  readonly writtenId?: string;
  readonly requestId: string;
}

/** The id of whoever makes a change, as it is shown. */
export const shownId = ({ id, writtenId }: Pick<Actor, 'id' | 'writtenId'>): string =>
  writtenId ?? id;

/** Changes that somebody made. */
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
  'api_key.created',
  'api_key.reissued',
  'api_key.updated',
  'api_key.revoked',
  'api_key.rotated',
  'api_key.deleted',
  'api_key.taken_out',
  'api_key.reported_as_leaked',
  'trusted_issuer.created',
  'trusted_issuer.deleted',
  'service_account.created',
  'service_account.updated',
  'service_account.deleted',
  'document.added',
  'document.replaced',
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
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.activated',
  'webhook.deactivated',
  'webhook.deleted',
] as const;

export type Change = (typeof CHANGES)[number];

/** What happened without anybody's doing, or is not a change of anything. */
export type Occurrence =
  | 'api_key.budget_reached'
  | 'api_key.expiring'
  | 'api_key.used_after_revocation'
  | 'document.failed'
  | 'document.ready'
  | 'message.rated'
  | 'message.unanswered'
  | 'source.failed'
  | 'source.recovered';

/** Ids and states of what an event is about; never a secret or the text of a document. */
export type EventData = Readonly<Record<string, string | number | boolean | null>>;

interface EventOf<Action extends string> {
  /** The knowledge base, or the service account, that it happened in. */
  readonly kbId: string;
  readonly action: Action;
  /** What the event says to subscribers; read only where there is one. Without it nobody can subscribe. */
  readonly data?: () => readonly EventData[] | Promise<readonly EventData[]>;
}

/** A change, with what it changed; never a secret. */
export interface ChangeEvent extends EventOf<Change> {
  readonly actor: Actor;
  readonly targetId: string;
  readonly details: object;
}

export type Event = ChangeEvent | (EventOf<Occurrence> & { readonly actor?: undefined });
