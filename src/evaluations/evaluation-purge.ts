import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { deleteSome } from '../database/row-batches.js';
import { KnowledgeBasePurge } from '../knowledge-bases/knowledge-base-purge.js';
import { EvaluationQuestion } from './evaluation-question.entity.js';

const BATCH = 1000;

/** Removes the questions of a deleted knowledge base's evaluations. */
@Injectable()
export class EvaluationPurge {
  constructor(unitOfWork: UnitOfWork, knowledgeBases: KnowledgeBasePurge) {
    const condition = 'evaluation_id IN (SELECT id FROM evaluations WHERE kb_id = :kbId)';
    knowledgeBases.register(async (kbId, signal) => {
      for (let removed = BATCH; removed === BATCH && !signal.aborted;) {
        removed = await unitOfWork.run((manager) =>
          deleteSome(manager, EvaluationQuestion, condition, { kbId }, BATCH),
        );
      }
    });
  }
}
