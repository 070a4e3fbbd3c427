import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { parseCitedDocument, toCitedDocument } from '../../documents/closed-documents.js';
import { Document } from '../../documents/document.entity.js';
import { Passage } from '../../documents/passage.entity.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { Reads } from '../../platform/database/reads.js';
import { Problem } from '../../platform/problems/problem.js';
import { ClosedAnswers } from './closed-answers.js';
import { ConversationsService } from './conversations.service.js';
import { listUsedDocuments } from './documents-of.js';
import { Message } from './message.entity.js';
import type { StoredHit, StoredSearch, StoredTrace } from './stored-trace.js';
import type { TraceDto, TracedPassageDto, TracedSearchDto } from './trace.dto.js';

const MAX_TEXT_LENGTH = 300;

/** What the reader may see of the passages. */
interface Shown {
  readonly kbId: string;
  readonly message: Message;
  readonly closed: ReadonlySet<string>;
  readonly documents: ReadonlyMap<string, Document>;
  readonly passages: ReadonlyMap<string, Passage>;
}

/** Shows how an answer came about, to those who may read its conversation. */
@Injectable()
export class TraceReader {
  constructor(
    private readonly conversations: ConversationsService,
    private readonly closedAnswers: ClosedAnswers,
    private readonly reads: Reads,
  ) {}

  /** @throws Problem `not_found` for a question, and for an answer that has no trace */
  async read(user: DashboardUser, conversationId: string, messageId: string): Promise<TraceDto> {
    const { kb_id: kbId } = await this.conversations.get(user, conversationId);
    const message = await this.reads.latest((manager) =>
      manager
        .createQueryBuilder(Message, 'message')
        .addSelect('message.trace')
        .where({ id: messageId, conversationId })
        .getOne(),
    );
    if (!message) throw new Problem('not_found');
    const { trace } = message;
    if (!trace) {
      throw new Problem('not_found', {
        detail: 'There is no trace: questions and answers of earlier versions have none.',
      });
    }
    const hits = trace.searches.flatMap(({ found }) => found);
    const used = listUsedDocuments(message, kbId);
    const named = [...used, ...hits.map(({ document }) => document)];
    const closed = await this.closedAnswers.findClosedDocuments(user, kbId, named);
    const found = await this.reads.latest((manager) => loadPassages(manager, hits, kbId));
    const isHidden = used.some((id) => closed.has(id));
    return toDto(trace, { kbId, message, closed, ...found }, isHidden);
  }
}

async function loadPassages(manager: EntityManager, hits: readonly StoredHit[], kbId: string) {
  const ids = hits.map(({ document }) => parseCitedDocument(document, kbId).documentId);
  const documents = await manager.find(Document, {
    select: { id: true, kbId: true, title: true, version: true, closedVersion: true },
    where: { id: In([...new Set(ids)]), state: 'active' },
  });
  const passages = await manager.find(Passage, {
    select: { number: true, id: true, version: true, heading: true, page: true, text: true },
    where: { id: In([...new Set(hits.map(({ chunk }) => chunk))]) },
  });
  return {
    documents: new Map(documents.map((one) => [toCitedDocument(toSource(one), kbId), one])),
    passages: new Map(passages.map((one) => [one.id, one])),
  };
}

const toSource = ({ id, kbId }: Document) => ({ document_id: id, kb_id: kbId });

function toDto(trace: StoredTrace, shown: Shown, isHidden: boolean): TraceDto {
  const { topK, minScore, answerThreshold, effort, model } = trace.settings;
  const hasClosed = trace.searches.some(({ found }) =>
    found.some(({ document }) => shown.closed.has(document)),
  );
  return {
    message_id: shown.message.id,
    reason: isHidden ? 'hidden' : trace.reason,
    fell_back: trace.fellBack,
    searches: trace.searches.map((search) => toSearchDto(search, shown, isHidden, hasClosed)),
    settings: {
      ...{ top_k: topK, min_score: minScore, answer_threshold: answerThreshold, effort },
      // The id of a curated answer would be here, which the reader may not know.
      model: isHidden ? null : model,
    },
    before_ms: trace.beforeMs,
    search_ms: trace.searchMs,
    total_ms: trace.totalMs,
  };
}

const toSearchDto = (
  { text, planned, reason, confidence, partial, lacksVectors, ms, found }: StoredSearch,
  shown: Shown,
  isHidden: boolean,
  hasClosed: boolean,
): TracedSearchDto => ({
  // A model plans from the passages that it has read.
  text: planned && (isHidden || hasClosed) ? null : text,
  planned,
  reason: isHidden ? null : reason,
  confidence: isHidden ? null : confidence,
  partial,
  lacks_vectors: lacksVectors,
  duration_ms: ms,
  passages: found.map((hit, index) => toPassageDto(hit, index + 1, shown)),
});

function toPassageDto(hit: StoredHit, rank: number, shown: Shown): TracedPassageDto {
  const { document: cited, chunk, score, words, meaning } = hit;
  const { kbId, documentId } = parseCitedDocument(cited, shown.kbId);
  const document = shown.documents.get(cited);
  const source = shown.message.sources.find(({ chunk_id }) => chunk_id === chunk);
  const isDeleted = !document && kbId === shown.kbId;
  const nothing = { document_title: null, heading: null, page: null, text: null };
  if (shown.closed.has(cited)) {
    return {
      ...{ rank, state: isDeleted ? 'deleted' : 'hidden', ...nothing },
      ...{ kb_id: null, document_id: null, chunk_id: null, score: null, words: null },
      ...{ meaning: null, source_index: null, cited: false },
    };
  }
  const facts = {
    ...{ rank, kb_id: kbId, document_id: documentId, chunk_id: chunk, score, words, meaning },
    ...{ source_index: source?.index ?? null, cited: source?.cited === true },
  };
  if (!document) return { ...facts, state: 'deleted', ...nothing };
  const passage = shown.passages.get(chunk);
  const { title, version, closedVersion } = document;
  if (!passage || passage.version !== version || passage.version <= closedVersion) {
    return { ...facts, state: 'changed', ...nothing, document_title: title };
  }
  const { heading, page, text } = passage;
  const shortened = text.slice(0, MAX_TEXT_LENGTH).toWellFormed();
  return { ...facts, state: 'current', document_title: title, heading, page, text: shortened };
}
