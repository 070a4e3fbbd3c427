import { Injectable } from '@nestjs/common';
import {
  AnswerGenerator,
  type CompleteAnswer,
  type GenerationRequest,
} from './answer-generator.js';

/** The name of this generator where a model's name is expected. */
export const EXTRACTIVE = 'extractive';

/** Answers by quoting the sentences that match the question best, without a language model. */
@Injectable()
export class ExtractiveGenerator extends AnswerGenerator {
  override generate({ passages, quotation }: GenerationRequest): CompleteAnswer {
    return { model: EXTRACTIVE, text: passages.length > 0 ? quotation : undefined };
  }
}
