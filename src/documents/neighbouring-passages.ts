import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Chunk } from './chunk.entity.js';

export interface Neighbours {
  before?: string;
  after?: string;
}

/** The passages before and after some in their documents. */
@Injectable()
export class NeighbouringPassages {
  constructor(@InjectRepository(Chunk) private readonly chunks: Repository<Chunk>) {}

  /** @returns by the id of the passage; none for one whose document was replaced meanwhile */
  async of(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Neighbours>> {
    const neighbours = new Map<string, Neighbours>();
    if (chunkIds.length === 0) return neighbours;
    const rows = await this.chunks
      .createQueryBuilder('near')
      .innerJoin(
        Chunk,
        'found',
        'found.documentId = near.documentId AND found.version = near.version AND near.position IN (found.position - 1, found.position + 1)',
      )
      .select('found.id', 'id')
      .addSelect('near.text', 'text')
      .addSelect('near.position - found.position', 'offset')
      .where('found.id IN (:...chunkIds)', { chunkIds })
      .getRawMany<{ id: string; text: string; offset: number | string }>();
    for (const { id, text, offset } of rows) {
      const side = Number(offset) < 0 ? 'before' : 'after';
      neighbours.set(id, { ...neighbours.get(id), [side]: text });
    }
    return neighbours;
  }
}
