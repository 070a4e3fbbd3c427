import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Document } from '../../documents/document.entity.js';

const BATCH = 500;

@Injectable()
export class ExternalIds {
  constructor(@InjectRepository(Document) private readonly documents: Repository<Document>) {}

  /** Returns the ids that documents of the knowledge base already use. */
  async findExisting(kbId: string, ids: readonly string[]): Promise<Set<string>> {
    const existing = new Set<string>();
    const distinct = [...new Set(ids)];
    for (let start = 0; start < distinct.length; start += BATCH) {
      const externalId = In(distinct.slice(start, start + BATCH));
      const documents = await this.documents.find({
        select: { externalId: true },
        where: { kbId, state: 'active', externalId },
      });
      for (const document of documents) if (document.externalId) existing.add(document.externalId);
    }
    return existing;
  }
}
