import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { readableCondition } from '../knowledge-bases/access-rules/readable.js';
import { isTypeId } from '../platform/http/type-id.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { Document } from './document.entity.js';

const BATCH = 1000;

/**
 * A document that an answer rests on: its id, with that of its knowledge base before it where that is not
 * the one of the conversation.
 */
export const toldDocument = (
  source: { readonly document_id: string; readonly kb_id?: string },
  kbId: string,
): string => {
  const { kb_id: own = kbId, document_id: id } = source;
  return own === kbId ? id : `${own}/${id}`;
};

/** @param told of `toldDocument` */
export function toldIn(told: string, kbId: string): { kbId: string; documentId: string } {
  const [first = '', second] = told.split('/');
  return second === undefined ? { kbId, documentId: first } : { kbId: first, documentId: second };
}

/** Where the rules of what was told stand: curated answers have such as documents have. */
function tablesOf(ids: readonly string[]): string[] {
  const isCurated = (id: string) => isTypeId('cur', id);
  return [
    ...(ids.every(isCurated) ? [] : ['documents']),
    ...(ids.some(isCurated) ? ['curated_answers'] : []),
  ];
}

/** Which documents that somebody was once told of are closed to them now. */
@Injectable()
export class ClosedDocuments {
  constructor(
    @InjectRepository(Document) private readonly documents: Repository<Document>,
    @InjectRepository(KnowledgeBase) private readonly knowledgeBases: Repository<KnowledgeBase>,
  ) {}

  /**
   * Those of the documents that somebody may not read. One that is deleted has no rule any more, so it
   * is among them where the knowledge base has ever had rules.
   *
   * @param kbId of the conversation
   * @param told of `toldDocument`
   * @param readerOf in whose name they read in a knowledge base; undefined where it is closed to them
   */
  async among(
    kbId: string,
    told: Iterable<string>,
    readerOf: (kbId: string) => Principals | undefined,
  ): Promise<Set<string>> {
    const closed = new Set<string>();
    const byKb = Map.groupBy(new Set(told), (one) => toldIn(one, kbId).kbId);
    for (const [id, documents] of byKb) {
      const principals = readerOf(id);
      const names = new Map(documents.map((one) => [toldIn(one, kbId).documentId, one]));
      const found = principals
        ? await this.amongOne(id, [...names.keys()], principals)
        : names.keys();
      for (const documentId of found) closed.add(names.get(documentId) ?? documentId);
    }
    return closed;
  }

  private async amongOne(
    kbId: string,
    ids: readonly string[],
    principals: Principals,
  ): Promise<Set<string>> {
    if (!(await this.versionsOf([kbId])).get(kbId)) return new Set();
    const closed = new Set(ids);
    for (let start = 0; start < ids.length; start += BATCH) {
      const some = ids.slice(start, start + BATCH);
      for (const table of tablesOf(some)) {
        const rows = this.documents.manager
          .createQueryBuilder()
          .select('told.id', 'id')
          .from(table, 'told')
          .where('told.kb_id = :kbId AND told.id IN (:...some)', { kbId, some });
        const { sql, parameters } = readableCondition(rows.dataSource, 'told', kbId, principals);
        const readable = await rows.andWhere(sql, parameters).getRawMany<{ id: string }>();
        for (const { id } of readable) closed.delete(id);
      }
    }
    return closed;
  }

  /** The versions of the rules of knowledge bases. */
  async versionsOf(kbIds: readonly string[]): Promise<Map<string, number>> {
    const select = { id: true, accessVersion: true } as const;
    const rows = await this.knowledgeBases.find({ select, where: { id: In(kbIds) } });
    return new Map(rows.map(({ id, accessVersion }) => [id, accessVersion]));
  }
}
