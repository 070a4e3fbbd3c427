import { Injectable } from '@nestjs/common';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import { ChatService } from '../../chat/chat.service.js';
import { toQuestion } from '../../chat/to-question.js';
import { toUnitScores } from '@latchkey/ranking/unit-scores';
import type { DifyRetrievalAnswerDto, DifyRetrievalDto } from './dify.dto.js';
import { toFilter } from './dify-filter.js';

/** Translates between Dify's external knowledge API and ChatService. */
@Injectable()
export class DifyService {
  constructor(private readonly chat: ChatService) {}

  async retrieve(
    apiKey: ApiKeyPrincipal,
    dto: DifyRetrievalDto,
    signal: AbortSignal,
  ): Promise<DifyRetrievalAnswerDto> {
    const { top_k, score_threshold } = dto.retrieval_setting;
    const filter = toFilter(dto.metadata_condition);
    const question = {
      ...toQuestion(dto.query, 'query'),
      kb_ids: [dto.knowledge_id],
      top_k,
      ...(filter && { filter }),
    };
    const { passages, linkTo } = await this.chat.findPassages(apiKey, question, signal);
    const scores = toUnitScores(passages);
    const records = passages.map(({ text, documentTitle, ...passage }, position) => ({
      content: text,
      score: scores[position] ?? 0,
      title: documentTitle,
      metadata: {
        ...passage.metadata,
        document_id: passage.documentId,
        source_url: passage.sourceUrl,
        page: passage.page,
        ...linkTo(passage.documentId, passage.kbId),
      },
    }));
    return { records: records.filter(({ score }) => score >= (score_threshold ?? 0)) };
  }
}
