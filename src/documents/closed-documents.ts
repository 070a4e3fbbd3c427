import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { SearchScope } from '@latchkey/ranking/search-index';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { whereReadable } from '../knowledge-bases/access-rules/readable.js';
import { isTypeId } from '../platform/http/type-id.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { type CitedAnswer, type CitedAnswers, HasCitedAnswers } from './cited-answers.js';
import { Document } from './document.entity.js';
import { Passage } from './passage.entity.js';
import { sqlIsValid } from './search/validity.js';
import { sqlNow } from '../platform/database/dialect.js';
import { whereMetadata } from './search/where-metadata.js';

const BATCH = 1000;

/** The content of a document that the reader may read. */
export interface OpenContent {
  /** Changes whenever the content changes. */
  readonly mark: string;
  /** When it got this content, if it had another before; otherwise null. */
  readonly since: Date | null;
}

/**
 * Identifies a document that an answer cites: its id, preceded by the id of its knowledge base if that
 * is not the one of the conversation.
 */
export const toCitedDocument = (
  source: { readonly document_id: string; readonly kb_id?: string },
  kbId: string,
): string => {
  const { kb_id: own = kbId, document_id: id } = source;
  return own === kbId ? id : `${own}/${id}`;
};

/** @param cited the result of `toCitedDocument` */
export function parseCitedDocument(
  cited: string,
  kbId: string,
): { kbId: string; documentId: string } {
  const [first = '', second] = cited.split('/');
  return second === undefined ? { kbId, documentId: first } : { kbId: first, documentId: second };
}

const isCurated = (id: string) => isTypeId('cur', id);

/** Finds which documents cited in earlier answers their reader may no longer read. */
@Injectable()
export class ClosedDocuments implements OnModuleInit {
  private answers: CitedAnswers | undefined;

  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
    private readonly discovery: DiscoveryService,
  ) {}

  /** @throws Error when two plugins have cited answers */
  onModuleInit(): void {
    const [found, other] = HasCitedAnswers.find(this.discovery);
    if (found && other) throw new Error(`${found.name} and ${other.name} both have cited answers`);
    this.answers = found?.instance;
  }

  /**
   * Finds the cited documents that access rules now hide from the reader. A deleted document has no
   * rule left, so it counts as closed if the knowledge base has ever had rules.
   *
   * @param kbId the knowledge base of the conversation
   * @param cited the result of `toCitedDocument`
   * @param readerOf returns the reader's principals in a knowledge base; undefined if they cannot
   *   access it
   */
  async findClosed(
    kbId: string,
    cited: Iterable<string>,
    readerOf: (kbId: string) => Principals | undefined,
  ): Promise<Set<string>> {
    const closed = new Set<string>();
    const byKb = Map.groupBy(new Set(cited), (one) => parseCitedDocument(one, kbId).kbId);
    for (const [id, documents] of byKb) {
      const principals = readerOf(id);
      const names = new Map(
        documents.map((one) => [parseCitedDocument(one, kbId).documentId, one]),
      );
      const found = principals
        ? await this.findClosedIn(id, [...names.keys()], principals)
        : names.keys();
      for (const documentId of found) closed.add(names.get(documentId) ?? documentId);
    }
    return closed;
  }

  /**
   * Finds the cited documents and curated answers that could still answer a question: they exist, are
   * searchable, are open to the reader, and match the filter.
   *
   * @param kbId the knowledge base of the conversation
   * @param cited the result of `toCitedDocument`
   * @param scopeOf returns what the reader may search in a knowledge base; undefined if they cannot
   *   access it
   * @param onlyValid whether documents that are not valid now are left out; they could answer a question when the
   *   answer was begun
   */
  async findOpen(
    kbId: string,
    cited: Iterable<string>,
    scopeOf: (kbId: string) => SearchScope | undefined,
    { onlyValid = false } = {},
  ): Promise<Map<string, OpenContent>> {
    const open = new Map<string, OpenContent>();
    const byKb = Map.groupBy(new Set(cited), (one) => parseCitedDocument(one, kbId).kbId);
    for (const [id, documents] of byKb) {
      const scope = scopeOf(id);
      if (!scope) continue;
      const names = new Map(
        documents.map((one) => [parseCitedDocument(one, kbId).documentId, one]),
      );
      for (const ids of splitBatches([...names.keys()])) {
        const contents = [
          ...(await this.findOpenDocuments(id, ids, scope, onlyValid)),
          ...(await this.findOpenAnswers(id, ids, scope)),
        ];
        for (const [documentId, content] of contents) {
          open.set(names.get(documentId) ?? documentId, content);
        }
      }
    }
    return open;
  }

  /** Whether all passages belong to the current versions of their documents. */
  async areCurrent(passageIds: readonly string[]): Promise<boolean> {
    const ids = [...new Set(passageIds)];
    if (ids.length === 0) return true;
    const current = await this.documents.manager
      .createQueryBuilder(Passage, 'passage')
      .innerJoin(
        'passage.document',
        'document',
        `document.version = passage.version AND document.state = 'active'`,
      )
      .where({ id: In(ids) })
      .getCount();
    return current === ids.length;
  }

  /**
   * Returns, by id of document or curated answer, a text that changes with its content, metadata or
   * rule. Deleted ones are missing.
   */
  async findStates(all: Iterable<string>): Promise<Map<string, string>> {
    const states = new Map<string, string>();
    for (const ids of splitBatches([...all])) {
      const documents = await this.documents.find({
        select: { id: true, sha256: true, replacedAt: true, version: true, rulesVersion: true },
        where: { id: In(ids.filter((id) => !isCurated(id))), state: 'active' },
      });
      for (const { id, rulesVersion, version, ...content } of documents) {
        states.set(id, [toMark(content), rulesVersion, version === null].join(' '));
      }
      const answers = ids.filter(isCurated);
      if (!this.answers || answers.length === 0) continue;
      for (const { id, updatedAt } of await this.answers.findChanges(answers)) {
        states.set(id, updatedAt.toISOString());
      }
    }
    return states;
  }

  /** Returns the version of the access rules of each knowledge base. */
  async findRuleVersions(kbIds: readonly string[]): Promise<Map<string, number>> {
    const select = { id: true, accessVersion: true } as const;
    const rows = await this.knowledgeBases.find({ select, where: { id: In(kbIds) } });
    return new Map(rows.map(({ id, accessVersion }) => [id, accessVersion]));
  }

  private async findClosedIn(
    kbId: string,
    ids: readonly string[],
    principals: Principals,
  ): Promise<Set<string>> {
    if (!(await this.findRuleVersions([kbId])).get(kbId)) return new Set();
    const closed = new Set(ids);
    for (const some of splitBatches(ids)) {
      const documents = this.documents
        .createQueryBuilder('document')
        .select('document.id')
        .where({ kbId, state: 'active', id: In(some.filter((id) => !isCurated(id))) });
      const readable: { readonly id: string }[] = await whereReadable(
        documents,
        'document',
        kbId,
        principals,
      ).getMany();
      for (const { id } of [
        ...readable,
        ...(await this.findReadableAnswers(kbId, some, principals)),
      ]) {
        closed.delete(id);
      }
    }
    return closed;
  }

  private async findOpenDocuments(
    kbId: string,
    ids: readonly string[],
    { principals, filter, includesInvalid }: SearchScope,
    onlyValid = false,
  ): Promise<[string, OpenContent][]> {
    const rows = this.documents
      .createQueryBuilder('document')
      .where({ kbId, state: 'active', id: In(ids.filter((id) => !isCurated(id))) })
      .andWhere('document.version IS NOT NULL');
    whereReadable(rows, 'document', kbId, principals);
    if (filter) whereMetadata(rows, 'document.metadata', filter);
    if (onlyValid && !includesInvalid) {
      rows.andWhere(sqlIsValid('document', sqlNow(rows.dataSource)));
    }
    return (await rows.getMany()).map((document) => [document.id, toOpenContent(document)]);
  }

  /**
   * Filters apply to documents, so an answer matches a filter only if it cites documents and all of
   * them match.
   */
  private async findOpenAnswers(
    kbId: string,
    ids: readonly string[],
    { principals, filter }: SearchScope,
  ): Promise<[string, OpenContent][]> {
    const answers = await this.findReadableAnswers(kbId, ids, principals);
    const named = filter ? answers.flatMap(({ sourceIds }) => sourceIds) : [];
    const opened = new Map(await this.findOpenDocuments(kbId, named, { principals, filter }));
    return answers
      .filter(
        ({ sourceIds }) =>
          !filter || (sourceIds.length > 0 && sourceIds.every((id) => opened.has(id))),
      )
      .map(({ id, writtenAt }) => [id, { mark: writtenAt.toISOString(), since: writtenAt }]);
  }

  private async findReadableAnswers(
    kbId: string,
    ids: readonly string[],
    principals: Principals,
  ): Promise<readonly CitedAnswer[]> {
    const answers = ids.filter(isCurated);
    if (!this.answers || answers.length === 0) return [];
    return this.answers.findReadable(kbId, answers, principals);
  }
}

type Content = Pick<Document, 'sha256' | 'replacedAt'>;

/** While new content is indexed, search still uses the old one, so the mark changes before and after. */
const toMark = ({ sha256, replacedAt }: Content): string =>
  `${sha256} ${replacedAt?.toISOString() ?? ''}`;

const toOpenContent = ({ contentSince, ...content }: Document): OpenContent => ({
  mark: toMark(content),
  since: content.replacedAt ?? contentSince,
});

/** The number of parameters of a statement is limited. */
function splitBatches(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / BATCH);
  return Array.from({ length: count }, (_, n) => ids.slice(n * BATCH, (n + 1) * BATCH));
}
