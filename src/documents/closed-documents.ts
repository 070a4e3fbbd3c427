import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { Principals } from '../knowledge-bases/access-rules/principals.js';
import { readableCondition } from '../knowledge-bases/access-rules/readable.js';
import { KnowledgeBase } from '../knowledge-bases/knowledge-base.entity.js';
import { Document } from './document.entity.js';

const BATCH = 1000;

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
   */
  async among(
    kbId: string,
    documentIds: Iterable<string>,
    principals: Principals,
  ): Promise<Set<string>> {
    const ids = [...new Set(documentIds)];
    if (ids.length === 0) return new Set();
    if (!(await this.versionsOf([kbId])).get(kbId)) return new Set();
    const closed = new Set(ids);
    for (let start = 0; start < ids.length; start += BATCH) {
      const rows = this.documents
        .createQueryBuilder('document')
        .select('document.id', 'id')
        .where({ kbId, id: In(ids.slice(start, start + BATCH)) });
      const { sql, parameters } = readableCondition(rows.dataSource, 'document', kbId, principals);
      const readable = await rows.andWhere(sql, parameters).getRawMany<{ id: string }>();
      for (const { id } of readable) closed.delete(id);
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
