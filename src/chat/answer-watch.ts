import { Injectable } from '@nestjs/common';
import type { SearchScope } from '@latchkey/ranking/search-index';
import type { ApiKeyPrincipal } from '../api-keys/api-key-principal.js';
import { CurrentCredentials, type Opened } from '../api-keys/current-credentials.js';
import { readingScopes } from '../api-keys/granted-knowledge-bases.js';
import { requireScope } from '../api-keys/scope.js';
import { ClosedDocuments, parseCitedDocument } from '../documents/closed-documents.js';
import type { DashboardUser } from '../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../knowledge-bases/knowledge-base-access.js';
import { Job } from '../platform/jobs/job.js';
import { Problem } from '../platform/problems/problem.js';
import { listUsedDocuments } from './conversations/documents-of.js';
import type { Outcome } from './conversations/exchange.js';
import { millisecondsSince } from './outcome.js';

export const LOOK_INTERVAL_MS = 1000;
/** The number of concurrent checks: one after another, many would take seconds. */
const AT_ONCE = 4;

/** An answer that is being written, and its asker. */
export interface WatchedAnswer {
  /** The knowledge base of the conversation. */
  readonly kbId: string;
  /** The documents that were searched. For an API key, its current rights apply instead. */
  readonly scope: SearchScope;
  /** The credential that asked, and the knowledge bases that were asked; undefined without an API key. */
  readonly credential:
    { readonly apiKey: ApiKeyPrincipal; readonly kbIds: readonly string[] } | undefined;
  /** The dashboard user who asked; undefined for every other asker. */
  readonly user: DashboardUser | undefined;
  /** The documents whose passages or earlier answers the model was given; see toCitedDocument. */
  readonly documentIds: readonly string[];
  /** The passages that the model was given. */
  readonly passageIds: readonly string[];
}

interface RunningAnswer extends WatchedAnswer {
  readonly controller: AbortController;
  /** The content marks of the documents when the model was asked, by document id; undefined before. */
  contents: ReadonlyMap<string, string> | undefined;
  /** The state of everything the answer depends on at the last check. */
  checked: string | undefined;
}

/** Who asks, with which rights. */
export type Asker = Pick<WatchedAnswer, 'kbId' | 'scope' | 'credential' | 'user'>;

/** The documents and passages that an answer is based on. */
export const toWatched = (asker: Asker, outcome: Outcome): WatchedAnswer => ({
  ...asker,
  documentIds: [...new Set(listUsedDocuments(outcome, asker.kbId))],
  passageIds: outcome.sources.map((source) => source.chunk_id),
});

/** What somebody may read at a moment, by knowledge base id. */
type Scopes = ReadonlyMap<string, SearchScope>;
type Credentials = ReadonlyMap<ApiKeyPrincipal, Opened | Problem>;

/**
 * Aborts answers that are being written once the question would be refused, or could not be answered from
 * the same documents: the key or the membership has ended, or a document was deleted, replaced, closed to
 * the asker, or has left the filter of the key. Once a second, one query each reads the keys, the versions
 * of the rules and the documents of all running answers. The documents of an answer are checked when one of
 * these has changed.
 */
@Injectable()
export class AnswerWatch {
  private readonly running = new Set<RunningAnswer>();

  constructor(
    private readonly credentials: CurrentCredentials,
    private readonly access: KnowledgeBaseAccess,
    private readonly documents: ClosedDocuments,
  ) {}

  /**
   * @returns a signal, whose reason is the Problem that a new request would get; `require`, which throws the
   *   Problem if there is one at this moment, and is called before the model is asked and after it has answered
   */
  watch(answer: WatchedAnswer) {
    const controller = new AbortController();
    const running: RunningAnswer = {
      ...answer,
      controller,
      contents: undefined,
      checked: undefined,
    };
    this.running.add(running);
    return {
      signal: controller.signal,
      require: () => this.require(running),
      stop: () => void this.running.delete(running),
    };
  }

  /**
   * Checks an answer that no model has written. An answer that took less time than the interval of the
   * checks is not checked.
   *
   * @param startedAt when the request arrived, as `performance.now()` has it
   * @throws Problem that a new request would get
   */
  async confirm(answer: WatchedAnswer, startedAt: number): Promise<void> {
    if (millisecondsSince(startedAt) < LOOK_INTERVAL_MS) return;
    const { require, stop } = this.watch(answer);
    await require().finally(stop);
  }

  @Job({ every: LOOK_INTERVAL_MS, untilAnswered: true })
  async look(): Promise<void> {
    if (this.running.size === 0) return;
    const answers = [...this.running];
    const credentials = await this.credentials.read(
      answers.flatMap(({ credential }) => credential?.apiKey ?? []),
    );
    // The versions are read before the documents, so a later change is noticed by the next round.
    const versions = await this.documents.findRuleVersions([
      ...new Set(answers.flatMap(collectKbIds)),
    ]);
    const states = await this.documents.findStates(
      new Set(answers.flatMap(({ documentIds, kbId }) => toDocumentIds(documentIds, kbId))),
    );
    await forEach(answers, async (answer) => {
      try {
        const scopes = await this.findScopes(answer, credentials);
        const { documentIds, kbId } = answer;
        const current = JSON.stringify([
          [...scopes],
          collectKbIds(answer).map((id) => versions.get(id)),
          toDocumentIds(documentIds, kbId).map((id) => states.get(id)),
        ]);
        if (current === answer.checked) return;
        await this.requireDocuments(answer, scopes);
        answer.checked = current;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        answer.controller.abort(error);
      }
    });
  }

  private async require(answer: RunningAnswer): Promise<void> {
    await this.requireDocuments(answer, await this.readCurrentScopes(answer));
  }

  /** @throws Problem `access_changed` */
  private async requireDocuments(answer: RunningAnswer, scopes: Scopes): Promise<void> {
    const { kbId, documentIds, passageIds, contents: before } = answer;
    const open = await this.documents.findOpen(kbId, documentIds, (id) => scopes.get(id));
    const contents = new Map([...open].map(([id, { mark }]) => [id, mark]));
    const isSame = documentIds.every(
      (id) => contents.has(id) && (before ?? contents).get(id) === contents.get(id),
    );
    if (isSame && (before || (await this.documents.areCurrent(passageIds)))) {
      answer.contents = contents;
      return;
    }
    // A deleted knowledge base also loses its documents, and the credential's own problem comes first.
    await this.readCurrentScopes(answer);
    throw new Problem('access_changed');
  }

  private async readCurrentScopes(answer: RunningAnswer): Promise<Scopes> {
    const { credential } = answer;
    const keys = credential ? [credential.apiKey] : [];
    return this.findScopes(answer, await this.credentials.read(keys));
  }

  /** @throws Problem that a new request would get */
  private async findScopes(answer: WatchedAnswer, credentials: Credentials): Promise<Scopes> {
    const { credential, user, kbId, scope } = answer;
    if (credential) return findKeyScopes(credential.kbIds, credentials.get(credential.apiKey));
    const left = user ? await this.findLeftGroups(user, kbId) : new Set();
    const principals = scope.principals.filter((principal) => !left.has(principal));
    return new Map([[kbId, { ...scope, principals }]]);
  }

  /**
   * The groups that a person had when they asked, and has left since.
   *
   * @throws Problem `not_found` when they are no member any more
   */
  private async findLeftGroups(user: DashboardUser, kbId: string): Promise<Set<string>> {
    await this.access.requireMember(user, kbId);
    const before = user.access?.pushedGroups ?? [];
    if (before.length === 0) return new Set();
    const now = new Set(await this.access.pushedGroups(user, kbId));
    return new Set(before.filter((group) => !now.has(group)));
  }
}

/** Runs a check for each item. */
async function forEach<T>(all: readonly T[], check: (one: T) => Promise<void>): Promise<void> {
  const rest = all[Symbol.iterator]();
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (const one of rest) await check(one);
  });
  for (const lane of await Promise.allSettled(lanes)) {
    if (lane.status === 'rejected') throw lane.reason;
  }
}

/** @throws Problem that a new request would get */
function findKeyScopes(
  askedKbIds: readonly string[],
  opened: Opened | Problem | undefined,
): Scopes {
  if (opened instanceof Problem) throw opened;
  const { grants = [], principals = [] } = opened ?? {};
  const answering = grants.filter(({ scopes }) => scopes.includes('chat'));
  if (answering.length === 0) requireScope([], ['chat']);
  const kbIds = new Set(answering.map(({ kbId }) => kbId));
  if (!askedKbIds.every((id) => kbIds.has(id))) throw new Problem('access_changed');
  return readingScopes({ grants, principals });
}

const toDocumentIds = (documentIds: readonly string[], kbId: string): string[] =>
  documentIds.map((id) => parseCitedDocument(id, kbId).documentId);

const collectKbIds = ({ kbId, documentIds }: WatchedAnswer): string[] => [
  ...new Set([kbId, ...documentIds.map((id) => parseCitedDocument(id, kbId).kbId)]),
];
