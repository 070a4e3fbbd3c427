import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { type CitedAnswers, HasCitedAnswers } from '../../documents/cited-answers.js';
import type { Principals } from '../../knowledge-bases/access-rules/principals.js';
import { whereCuratedReadable } from './curated-readable.js';
import { CuratedAnswer } from './curated-answer.entity.js';

/** Finds the curated answers that conversations cite. */
@Injectable()
@HasCitedAnswers()
export class CitedCuratedAnswers implements CitedAnswers {
  constructor(
    @InjectRepository(CuratedAnswer) private readonly answers: Repository<CuratedAnswer>,
  ) {}

  findReadable(
    kbId: string,
    ids: readonly string[],
    principals: Principals,
  ): Promise<CuratedAnswer[]> {
    const rows = this.answers.createQueryBuilder('curated').where({ kbId, id: In([...ids]) });
    return whereCuratedReadable(rows, 'curated', kbId, principals).getMany();
  }

  findAll(kbId: string, principals: Principals | undefined): Promise<CuratedAnswer[]> {
    const rows = this.answers.createQueryBuilder('curated').where({ kbId }).orderBy('curated.id');
    const readable = principals ? whereCuratedReadable(rows, 'curated', kbId, principals) : rows;
    return readable.getMany();
  }

  findChanges(ids: readonly string[]): Promise<CuratedAnswer[]> {
    return this.answers.find({
      select: { id: true, updatedAt: true },
      where: { id: In([...ids]) },
    });
  }
}
