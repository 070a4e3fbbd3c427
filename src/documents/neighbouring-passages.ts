import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Passage } from './passage.entity.js';

export interface Neighbours {
  before?: string;
  after?: string;
}

/** Finds the passages before and after given ones in their documents. */
@Injectable()
export class NeighbouringPassages {
  constructor(@InjectRepository(Passage) private readonly passages: Repository<Passage>) {}

  /**
   * @returns the neighbours by passage id; none for a passage whose document was replaced in the
   *   meantime
   */
  async findNeighbours(passageIds: readonly string[]): Promise<ReadonlyMap<string, Neighbours>> {
    const neighbours = new Map<string, Neighbours>();
    if (passageIds.length === 0) return neighbours;
    const rows = await this.passages
      .createQueryBuilder('near')
      .innerJoin(
        Passage,
        'found',
        'found.documentId = near.documentId AND found.version = near.version AND near.position IN (found.position - 1, found.position + 1)',
      )
      .select('found.id', 'id')
      .addSelect('near.text', 'text')
      .addSelect('near.position - found.position', 'offset')
      .where('found.id IN (:...passageIds)', { passageIds })
      .getRawMany<{ id: string; text: string; offset: number | string }>();
    for (const { id, text, offset } of rows) {
      const side = Number(offset) < 0 ? 'before' : 'after';
      neighbours.set(id, { ...neighbours.get(id), [side]: text });
    }
    return neighbours;
  }
}
