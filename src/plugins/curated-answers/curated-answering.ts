import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { combineFilters, type MetadataFilter } from '@latchkey/ranking/metadata-filter';
import type { SingleQuestion } from '@latchkey/quoting/separate-questions';
import { findAskedSentences } from '@latchkey/text/asked-sentences';
import { whereCuratedReadable } from './curated-readable.js';
import { DocumentPassages } from './document-passages.js';
import { EMBEDDINGS, type Embeddings } from '../../documents/search/embeddings.js';
import { FairShareLookup } from '../../knowledge-bases/fair-share-lookup.js';
import { hasLength } from '../../platform/http/text.js';
import type { SearchedKnowledgeBase } from '../../chat/asked-knowledge-bases.js';
import type { SourceDto } from '../../chat/conversations/source.dto.js';
import { type AnswerSource, IsAnswerSource, type ReadyAnswer } from '../../chat/answer-source.js';
import { toSources } from '../../chat/to-source.js';
import { MAX_QUESTION_LENGTH } from './curated-answer.dto.js';
import { CuratedAnswer } from './curated-answer.entity.js';
import { CuratedQuestions } from './curated-questions.js';

/** The number of matching answers that one statement reads. */
const CANDIDATES = 50;

interface Found {
  readonly kbId: string;
  readonly row: CuratedAnswer;
  readonly sources: SourceDto[];
}

/** Answers questions with curated answers. */
@Injectable()
@IsAnswerSource()
export class CuratedAnswering implements AnswerSource {
  constructor(
    @InjectRepository(CuratedAnswer) private readonly answers: Repository<CuratedAnswer>,
    private readonly questions: CuratedQuestions,
    private readonly documents: DocumentPassages,
    private readonly fairShares: FairShareLookup,
    @Inject(EMBEDDINGS) private readonly embeddings: Embeddings | null,
  ) {}

  /**
   * Finds the curated answer to the whole message, or else the answers to each of its questions. If one of
   * them has none, nothing is returned and the documents are searched for all.
   *
   * @param filter of the request
   */
  async answer(
    knowledgeBases: readonly SearchedKnowledgeBase[],
    message: string,
    questions: readonly SingleQuestion[],
    filter: MetadataFilter | undefined,
  ): Promise<ReadyAnswer | undefined> {
    const versions = await this.readVersions(knowledgeBases);
    const withAnswers = knowledgeBases.filter(({ kbId }) => (versions.get(kbId) ?? 0) > 0);
    if (withAnswers.length === 0) return undefined;
    const find = (question: SingleQuestion) =>
      this.findAnswer(withAnswers, versions, question, filter);
    if (questions.length > 1) {
      const asked = findAskedSentences(message);
      const whole = await find({ asked, context: [], text: message });
      if (whole) return composeCurated([whole]);
    }
    const found = new Map<string, Found>();
    for (const question of questions) {
      const one = await find(question);
      if (!one) return undefined;
      found.set(one.row.id, one);
    }
    return composeCurated([...found.values()]);
  }

  /** Reads the versions that no other query has read. */
  private async readVersions(
    knowledgeBases: readonly SearchedKnowledgeBase[],
  ): Promise<ReadonlyMap<string, number>> {
    const known = new Map<string, number>();
    for (const { kbId, curatedVersion } of knowledgeBases) {
      if (curatedVersion === undefined) {
        return this.questions.readVersions(knowledgeBases.map((place) => place.kbId));
      }
      known.set(kbId, curatedVersion);
    }
    return known;
  }

  private async findAnswer(
    knowledgeBases: readonly SearchedKnowledgeBase[],
    versions: ReadonlyMap<string, number>,
    question: SingleQuestion,
    filter: MetadataFilter | undefined,
  ): Promise<Found | undefined> {
    // Comparing a longer question would only take time.
    if (!hasLength(question.asked, 0, MAX_QUESTION_LENGTH)) return undefined;
    for (const place of knowledgeBases) {
      const version = versions.get(place.kbId) ?? 0;
      const ids = await this.questions.findByWords(place.kbId, version, question);
      const found = await this.findFirstOpen(place, ids, filter);
      if (found) return found;
    }
    const { embeddings } = this;
    const model = embeddings?.model;
    if (!embeddings || model === undefined) return undefined;
    for (const place of knowledgeBases) {
      const version = versions.get(place.kbId) ?? 0;
      const fairShare = await this.fairShares.findFairShare(place.kbId);
      const embed = (text: string) => embeddings.embedQuestion(text, fairShare);
      const ids = await this.questions.findByMeaning(place.kbId, version, question, model, embed);
      const found = await this.findFirstOpen(place, ids, filter);
      if (found) return found;
    }
    return undefined;
  }

  /** Finds the first answer that the asker may read. */
  private async findFirstOpen(
    place: SearchedKnowledgeBase,
    matching: readonly string[],
    filter: MetadataFilter | undefined,
  ): Promise<Found | undefined> {
    const ids = [...new Set(matching)];
    for (let from = 0; from < ids.length; from += CANDIDATES) {
      const found = await this.findFirstOpenAmong(
        place,
        ids.slice(from, from + CANDIDATES),
        filter,
      );
      if (found) return found;
    }
    return undefined;
  }

  private async findFirstOpenAmong(
    { kbId, scope }: SearchedKnowledgeBase,
    ids: readonly string[],
    filter: MetadataFilter | undefined,
  ): Promise<Found | undefined> {
    const rows = this.answers.createQueryBuilder('curated').where({ kbId, id: In([...ids]) });
    const open = await whereCuratedReadable(rows, 'curated', kbId, scope.principals).getMany();
    const byId = new Map(open.map((row) => [row.id, row]));
    const readable = ids.flatMap((id) => byId.get(id) ?? []);
    const filters = combineFilters(scope.filter, filter);
    const candidates = filters ? readable : readable.slice(0, 1);
    const documentIds = new Set(candidates.flatMap(({ sourceIds }) => sourceIds));
    const opened = { ...scope, filter: filters };
    const first = await this.documents.findFirstPassages(kbId, opened, [...documentIds]);
    const passages = new Map(first.map((passage) => [passage.documentId, passage]));
    // A filter selects documents, so an answer that is based on others, or on none, does not match it.
    const row = candidates.find(
      ({ sourceIds }) =>
        !filters || (sourceIds.length > 0 && sourceIds.every((id) => passages.has(id))),
    );
    if (!row) return undefined;
    const { sourceIds, reviewAt } = row;
    const sources = toSources(sourceIds.flatMap((id) => passages.get(id) ?? []));
    const cited = sources.map((source) => ({
      ...source,
      index: sourceIds.indexOf(source.document_id) + 1,
      cited: true,
      ...(reviewAt && { review_at: reviewAt.toISOString() }),
    }));
    return { kbId, row, sources: cited };
  }
}

function composeCurated(found: readonly Found[]): ReadyAnswer {
  const several = found.length > 1;
  return {
    model: found.map(({ row }) => row.id).join(),
    text: found.map(({ row }) => row.answer).join('\n\n'),
    sources: found
      .flatMap(({ sources }) => sources)
      .map((source, position) => (several ? { ...source, index: position + 1 } : source)),
    basedOn: found.map(({ kbId, row }) => ({ kb_id: kbId, document_id: row.id })),
  };
}
