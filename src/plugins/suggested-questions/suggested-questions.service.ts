import { Injectable } from '@nestjs/common';
import type { SearchScope } from '@latchkey/ranking/search-index';
import { AnswerPipeline } from '../../chat/answer-pipeline.js';
import { readAnswer } from '../../chat/chat-event.js';
import { DocumentsService } from '../../documents/documents.service.js';
import {
  type DashboardUser,
  getPrincipals,
} from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import { KnowledgeBaseAccess } from '../../knowledge-bases/knowledge-base-access.js';
import type { Settings } from '../../knowledge-bases/settings/settings.js';
import { SettingsService } from '../../knowledge-bases/settings/settings.service.js';
import { Problem } from '../../platform/problems/problem.js';
import type { SuggestedQuestionDto } from './suggested-question.dto.js';
import { type Candidate, toCandidates } from './to-candidates.js';

const DOCUMENTS = 5;
const PASSAGES = 50;
const SUGGESTED = 3;
/** Each is asked, which takes as long as a question does. */
const TRIED = 9;
const SURE = 0.6;

/** Finds questions that the newest documents answer, by asking them. */
@Injectable()
export class SuggestedQuestionsService {
  constructor(
    private readonly documents: DocumentsService,
    private readonly access: KnowledgeBaseAccess,
    private readonly settings: SettingsService,
    private readonly pipeline: AnswerPipeline,
  ) {}

  /** Without a language model, whatever the settings say: what is suggested must cost nothing. */
  async suggest(
    user: DashboardUser,
    kbId: string,
    signal: AbortSignal,
  ): Promise<SuggestedQuestionDto[]> {
    await this.access.requireMember(user, kbId);
    const settings = await this.settings.loadWith(kbId, { model: 'extractive' });
    const scope = { principals: getPrincipals(user) };
    const answered: (Candidate & { isSure: boolean })[] = [];
    for (const candidate of (await this.findCandidates(user, kbId)).slice(0, TRIED)) {
      const confidence = await this.ask(kbId, settings, scope, candidate, signal);
      if (confidence === undefined) continue;
      answered.push({ ...candidate, isSure: confidence >= SURE });
      if (answered.filter(({ isSure }) => isSure).length === SUGGESTED) break;
    }
    return answered
      .sort((a, b) => Number(b.isSure) - Number(a.isSure))
      .slice(0, SUGGESTED)
      .map(({ question, documentId, documentTitle }) => ({
        ...{ question, document_id: documentId, document_title: documentTitle },
      }));
  }

  /** Lists passages as the user may read them, since headings tell of documents. */
  private async findCandidates(user: DashboardUser, kbId: string): Promise<Candidate[]> {
    const newest = { limit: DOCUMENTS, status: 'ready' as const };
    const { data } = await this.documents.list(user, kbId, newest);
    const documents = await Promise.all(
      data.map(async ({ id, title, language }) => {
        const passages = await this.documents
          .listPassages(user, id, { limit: PASSAGES })
          .catch(returnNoneIfClosed);
        return { id, title, language, passages: passages.data };
      }),
    );
    return toCandidates(documents);
  }

  /** @returns how sure the answer is; undefined if the document gives none */
  private async ask(
    kbId: string,
    settings: Settings,
    scope: SearchScope,
    { question, documentId }: Candidate,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const request = {
      asker: { kbId, scope, credential: undefined, user: undefined },
      ...{ knowledgeBases: [{ kbId, scope }], dto: { message: question }, settings, turns: [] },
      ...{ startedAt: performance.now(), clientSignal: signal },
    };
    const answer = await readAnswer(
      await this.pipeline.stream(request, () => Promise.resolve(undefined)),
    );
    const isCited = answer.sources.some((one) => one.cited && one.document_id === documentId);
    return answer.answered && isCited ? (answer.confidence ?? 0) : undefined;
  }
}

/** A rule may keep the passages of a document from those who keep it; and it may be deleted meanwhile. */
function returnNoneIfClosed(error: unknown): { data: never[] } {
  if (error instanceof Problem && error.code === 'not_found') return { data: [] };
  throw error;
}
