import { Injectable } from '@nestjs/common';
import { EXTRACTIVE } from '../knowledge-bases/settings/models.js';
import {
  AnswerGenerator,
  type CompleteAnswer,
  type GenerationRequest,
} from './answer-generator.js';

/** Answers by quoting the sentences that match the question best, without a language model. */
@Injectable()
export class ExtractiveGenerator extends AnswerGenerator {
  override generate({ passages, quotation }: GenerationRequest): CompleteAnswer {
    return { model: EXTRACTIVE, text: passages.length > 0 ? quotation : undefined };
  }
}
