import { ApiId } from '../../platform/openapi/api-fields.js';

export class SuggestedQuestionDto {
  /** @example 'How long may I return an order?' */
  question: string;
  @ApiId('doc') document_id: string;
  /** @example 'Returns policy' */
  document_title: string;
}

export class SuggestedQuestionsDto {
  data: SuggestedQuestionDto[];
}
