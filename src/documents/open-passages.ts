import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { SearchScope } from '@latchkey/ranking/search-index';
import { whereReadable } from '../knowledge-bases/access-rules/readable.js';
import { sqlNow } from '../platform/database/dialect.js';
import { Passage } from './passage.entity.js';
import { sqlIsValid } from './search/validity.js';
import { whereMetadata } from './search/where-metadata.js';

/** Reads a passage by its id, if a search could find it. */
@Injectable()
export class OpenPassages {
  constructor(@InjectRepository(Passage) private readonly passages: Repository<Passage>) {}

  /** @returns the passage with its document; null if there is none in the knowledge base that the scope has */
  async findOpen(
    kbId: string,
    { filter, principals, includesInvalid }: SearchScope,
    id: string,
  ): Promise<Passage | null> {
    const passages = this.passages
      .createQueryBuilder('passage')
      .innerJoinAndSelect('passage.document', 'document')
      .where('passage.id = :id AND passage.kbId = :kbId', { id, kbId })
      .andWhere(`document.state = 'active' AND document.version = passage.version`)
      .andWhere('passage.version > document.closedVersion');
    whereReadable(passages, 'document', kbId, principals);
    if (!includesInvalid) {
      passages.andWhere(sqlIsValid('document', sqlNow(this.passages.manager.dataSource)));
    }
    const rows = filter ? whereMetadata(passages, 'document.metadata', filter) : passages;
    return rows.getOne();
  }

  /** @returns the knowledge base of a passage, which its reader may not be allowed to know */
  async findKnowledgeBase(id: string): Promise<string | undefined> {
    const select = { number: true, kbId: true };
    const passage = await this.passages.findOne({ where: { id }, select });
    return passage?.kbId;
  }
}
