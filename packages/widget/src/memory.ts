import type { Turn } from './answer.js';

export interface Visit {
  readonly client_token: string;
  readonly expires_at: string;
}

/** What a tab remembers of a visit. */
export interface Remembered {
  readonly visit?: Visit;
  readonly conversationId?: string;
  readonly turns: readonly Turn[];
  readonly isOpen: boolean;
}

const NOTHING: Remembered = { turns: [], isOpen: false };
const MAX_TURNS = 30;

/**
 * Remembers the visit until the tab is closed, in the storage of the page's session. Nothing is stored before the first
 * question.
 */
export class Memory {
  private remembered: Remembered;
  private readonly key: string;

  constructor(siteId: string) {
    this.key = `latchkey ${siteId}`;
    this.remembered = this.load();
  }

  get now(): Remembered {
    return this.remembered;
  }

  change(changes: Partial<Remembered>): void {
    this.remembered = { ...this.remembered, ...changes };
    this.store();
  }

  /** Adds a turn, or replaces the one with the same answer. */
  keep(turn: Turn): void {
    const { turns } = this.remembered;
    const isSame = ({ answer }: Turn) => answer.message_id === turn.answer.message_id;
    const kept = turns.some(isSame)
      ? turns.map((one) => (isSame(one) ? turn : one))
      : [...turns, turn].slice(-MAX_TURNS);
    this.change({ turns: kept });
  }

  /** Ends the conversation. The visit goes on, so that limits hold for it. */
  forgetConversation(): void {
    const { visit, isOpen } = this.remembered;
    this.remembered = { ...NOTHING, isOpen, ...(visit && { visit }) };
    this.store();
  }

  private load(): Remembered {
    try {
      const stored = JSON.parse(sessionStorage.getItem(this.key) ?? '{}') as Partial<Remembered>;
      return Array.isArray(stored.turns) ? { ...NOTHING, ...stored } : NOTHING;
    } catch {
      // Pages can be without storage.
      return NOTHING;
    }
  }

  private store(): void {
    // Opening and closing alone leaves no trace.
    if (!this.remembered.visit) return;
    try {
      sessionStorage.setItem(this.key, JSON.stringify(this.remembered));
    } catch {
      // Then it is remembered until the page is left.
    }
  }
}
