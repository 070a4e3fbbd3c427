import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { RateLimiter } from '../../api-keys/rate-limiter.js';
import type { DashboardChatService } from '../../chat/dashboard-chat.service.js';
import { LIMIT_PER_MINUTE } from '../../chat/playground-limit.js';
import { toQuestion } from '../../chat/to-question.js';
import type { PassageReader } from '../../chat/passage-reader.js';
import type { DashboardUser } from '../../knowledge-bases/dashboard-auth/dashboard-user.js';
import {
  type KnowledgeBaseAccess,
  requireRole,
} from '../../knowledge-bases/knowledge-base-access.js';
import type { KnowledgeBasesService } from '../../knowledge-bases/knowledge-bases.service.js';
import { isTypeId } from '../../platform/http/type-id.js';
import { invalidField, Problem } from '../../platform/problems/problem.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { answerTool, type McpCall, optionalFilter, READ_ONLY } from './tool-answer.js';
import { listPassages, registerFetchTool } from './fetch-tool.js';
import {
  LIST_INPUT,
  LIST_OUTPUT,
  PERSON_ASK_INPUT,
  PERSON_ASK_OUTPUT,
  PERSON_SEARCH_INPUT,
  SEARCH_OUTPUT,
} from './tool-schemas.js';

/** The services that the tools of persons call. */
export interface PersonServices {
  readonly knowledgeBases: KnowledgeBasesService;
  readonly access: KnowledgeBaseAccess;
  readonly chat: DashboardChatService;
  readonly rateLimiter: RateLimiter;
  readonly passages: PassageReader;
}

type PersonCall = McpCall & { readonly user: DashboardUser };

interface ListInput {
  readonly cursor?: string;
}

interface SearchInput {
  readonly query: string;
  readonly kb_id?: string;
  readonly top_k?: number;
  readonly filter?: MetadataFilter;
  readonly tables?: boolean;
}

interface AskInput {
  readonly question: string;
  readonly kb_id?: string;
}

/**
 * The tools of a person who has signed in. They cover the person's knowledge bases, and answer like the
 * dashboard's playground, with its rate limit.
 */
export class PersonTools {
  constructor(private readonly services: PersonServices) {}

  register(server: McpServer, call: PersonCall): void {
    server.registerTool(
      'list_knowledge_bases',
      {
        title: 'List knowledge bases',
        description: 'The knowledge bases that can be searched and asked, newest first.',
        inputSchema: fromJsonSchema<ListInput>(LIST_INPUT),
        outputSchema: fromJsonSchema(LIST_OUTPUT),
        annotations: READ_ONLY,
      },
      ({ cursor }) => answerTool(call, () => this.list(call.user, cursor)),
    );
    server.registerTool(
      'search',
      {
        title: 'Search',
        description: 'Find the passages of the documents that speak of something, best first.',
        inputSchema: fromJsonSchema<SearchInput>(PERSON_SEARCH_INPUT),
        outputSchema: fromJsonSchema(SEARCH_OUTPUT),
        annotations: READ_ONLY,
      },
      ({ query, kb_id, top_k, filter, tables = false }) =>
        answerTool(call, async () => {
          const question = { ...toQuestion(query, 'query'), ...optionalFilter(filter), tables };
          const dto = { ...question, ...(top_k !== undefined && { top_k }) };
          const { kbId, reader } = await this.reader(
            call.user,
            () => kb_id ?? this.onlyOne(call.user),
          );
          return listPassages(await this.services.chat.query(reader, kbId, dto, call.signal));
        }),
    );
    registerFetchTool(server, call, async (id) => {
      const { kbId, reader } = await this.reader(call.user, () =>
        this.services.passages.requireKnowledgeBase(id),
      );
      return this.services.chat.readPassage(reader, kbId, id);
    });
    server.registerTool(
      'ask',
      {
        title: 'Ask',
        description: 'Answer a question from the documents, with its sources. Each stands alone.',
        inputSchema: fromJsonSchema<AskInput>(PERSON_ASK_INPUT),
        outputSchema: fromJsonSchema(PERSON_ASK_OUTPUT),
        annotations: READ_ONLY,
      },
      ({ question, kb_id }) =>
        answerTool(call, async () => {
          const dto = toQuestion(question, 'question');
          const { kbId, reader } = await this.reader(
            call.user,
            () => kb_id ?? this.onlyOne(call.user),
          );
          return this.services.chat.chat(reader, kbId, dto, call.signal);
        }),
    );
  }

  private async list(user: DashboardUser, cursor: string | undefined): Promise<object> {
    await this.count(user);
    const query = { limit: 100, ...(cursor !== undefined && { cursor }) };
    const { data, next_cursor } = await this.services.knowledgeBases.list(user, query);
    const knowledge_bases = data.map(({ id, name, description, document_count }) => ({
      ...{ id, name, description, document_count },
    }));
    return { knowledge_bases, next_cursor };
  }

  /** @throws Problem `rate_limited` */
  private async count(user: DashboardUser): Promise<void> {
    await this.services.rateLimiter.consumeForUser('playground', user.id, LIMIT_PER_MINUTE);
  }

  /**
   * Checks access to the chosen knowledge base as AccessGuard does.
   *
   * @param choose called once the call is counted
   *
   * @throws Problem `not_found`, `rate_limited`, or `validation_failed` if one of several must be named
   */
  private async reader(user: DashboardUser, choose: () => string | Promise<string>) {
    const { access } = this.services;
    await this.count(user);
    const kbId = await choose();
    if (!isTypeId('kb', kbId)) throw new Problem('not_found');
    const role = requireRole('viewer', await access.findRole(user, kbId));
    const pushedGroups = await access.pushedGroups(user, kbId);
    return { kbId, reader: { ...user, access: { resourceId: kbId, kbId, role, pushedGroups } } };
  }

  private async onlyOne(user: DashboardUser): Promise<string> {
    const { data, total } = await this.services.knowledgeBases.list(user, { limit: 1 });
    const [only] = data;
    if (only && total === 1) return only.id;
    throw invalidField('kb_id', 'kb_id must name one of those that list_knowledge_bases gives');
  }
}
