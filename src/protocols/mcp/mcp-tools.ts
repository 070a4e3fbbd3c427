import { Logger } from '@nestjs/common';
import {
  type CallToolResult,
  fromJsonSchema,
  type McpServer,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import type { ChatService } from '../../chat/chat.service.js';
import { toQuestion } from '../../chat/to-question.js';
import { toProblem } from '../../platform/http/problem.filter.js';
import { invalidField } from '../../platform/problems/problem.js';
import { textOf } from '../../platform/problems/remediation.js';
import { filterProblem } from '../../knowledge-bases/metadata-filter/filter-problem.js';
import type { Filter } from '@latchkey/ranking/metadata-filter';
import { ASK_INPUT, ASK_OUTPUT, SEARCH_INPUT, SEARCH_OUTPUT } from './tool-schemas.js';

/** What a tool needs from the HTTP request that calls it. */
export interface McpCaller {
  readonly apiKey: ApiKeyPrincipal;
  readonly signal: AbortSignal;
  readonly requestId: string;
}

interface SearchInput {
  readonly query: string;
  readonly top_k?: number;
  readonly filter?: Filter;
  readonly kb_ids?: string[];
  readonly tables?: boolean;
}

interface AskInput {
  readonly question: string;
  readonly conversation_id?: string;
  readonly kb_ids?: string[];
}

const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

/** The tools `search` and `ask`, which do what `/query` and `/chat` do. */
export class McpTools {
  private readonly logger = new Logger(McpTools.name);

  constructor(private readonly chat: ChatService) {}

  /** Registers the tools that the credential may use. */
  register(server: McpServer, caller: McpCaller): void {
    const { scopes } = caller.apiKey;
    if (scopes.includes('query')) this.registerSearch(server, caller);
    if (scopes.includes('chat')) this.registerAsk(server, caller);
  }

  private registerSearch(server: McpServer, caller: McpCaller): void {
    server.registerTool(
      'search',
      {
        title: 'Search',
        description: 'Find the passages of the documents that speak of something, best first.',
        inputSchema: fromJsonSchema<SearchInput>(SEARCH_INPUT),
        outputSchema: fromJsonSchema(SEARCH_OUTPUT),
        annotations: READ_ONLY,
      },
      ({ query, top_k, filter, kb_ids, tables = false }) =>
        this.answer(caller, () => {
          const problem = filter === undefined ? undefined : filterProblem(filter);
          if (problem !== undefined) throw invalidField('filter', problem);
          const dto = {
            ...toQuestion(query, 'query'),
            ...(top_k !== undefined && { top_k }),
            ...(filter && { filter }),
            ...(kb_ids && { kb_ids }),
            tables,
          };
          return this.chat.query(caller.apiKey, dto, caller.signal);
        }),
    );
  }

  private registerAsk(server: McpServer, caller: McpCaller): void {
    server.registerTool(
      'ask',
      {
        title: 'Ask',
        description: 'Answer a question from the documents, with its sources.',
        inputSchema: fromJsonSchema<AskInput>(ASK_INPUT),
        outputSchema: fromJsonSchema(ASK_OUTPUT),
        annotations: READ_ONLY,
      },
      ({ question, conversation_id, kb_ids }) =>
        this.answer(caller, () => {
          const dto = {
            ...toQuestion(question, 'question'),
            ...(conversation_id !== undefined && { conversation_id }),
            ...(kb_ids && { kb_ids }),
          };
          return this.chat.chat(caller.apiKey, dto, caller.signal);
        }),
    );
  }

  /** Returns a problem as the tool's result, so that the model can read it and try again. */
  private async answer(
    { requestId }: McpCaller,
    call: () => Promise<object>,
  ): Promise<CallToolResult> {
    try {
      const answer = (await call()) as Record<string, unknown>;
      return {
        content: [{ type: 'text', text: JSON.stringify(answer) }],
        structuredContent: answer,
      };
    } catch (error) {
      const problem = toProblem(error);
      if (problem.getStatus() >= 500) this.logger.error(error);
      const text = `${problem.code}: ${textOf(problem)} (request ${requestId})`;
      return { isError: true, content: [{ type: 'text', text }] };
    }
  }
}
