import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { ApiKeyPrincipal } from '../../api-keys/api-key-principal.js';
import type { ChatService } from '../../chat/chat.service.js';
import { toQuestion } from '../../chat/to-question.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { answerTool, type McpCall, optionalFilter, READ_ONLY } from './tool-answer.js';
import { listPassages, registerFetchTool } from './fetch-tool.js';
import { ASK_INPUT, ASK_OUTPUT, SEARCH_INPUT, SEARCH_OUTPUT } from './tool-schemas.js';

type KeyCall = McpCall & { readonly apiKey: ApiKeyPrincipal };

interface SearchInput {
  readonly query: string;
  readonly top_k?: number;
  readonly filter?: MetadataFilter;
  readonly kb_ids?: string[];
  readonly tables?: boolean;
}

interface AskInput {
  readonly question: string;
  readonly conversation_id?: string;
  readonly kb_ids?: string[];
}

/** The tools `search` and `ask`, which work like `/query` and `/chat`, and `fetch`. */
export class McpTools {
  constructor(private readonly chat: ChatService) {}

  /** Registers the tools that the credential may use. */
  register(server: McpServer, caller: KeyCall): void {
    const { scopes } = caller.apiKey;
    if (scopes.includes('query')) {
      this.registerSearch(server, caller);
      this.registerFetch(server, caller);
    }
    if (scopes.includes('chat')) this.registerAsk(server, caller);
  }

  private registerSearch(server: McpServer, caller: KeyCall): void {
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
        answerTool(caller, async () => {
          const dto = {
            ...toQuestion(query, 'query'),
            ...(top_k !== undefined && { top_k }),
            ...optionalFilter(filter),
            ...(kb_ids && { kb_ids }),
            tables,
          };
          return listPassages(await this.chat.query(caller.apiKey, dto, caller.signal));
        }),
    );
  }

  private registerFetch(server: McpServer, caller: KeyCall): void {
    registerFetchTool(server, caller, (id) => this.chat.readPassage(caller.apiKey, id));
  }

  private registerAsk(server: McpServer, caller: KeyCall): void {
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
        answerTool(caller, () => {
          const dto = {
            ...toQuestion(question, 'question'),
            ...(conversation_id !== undefined && { conversation_id }),
            ...(kb_ids && { kb_ids }),
          };
          return this.chat.chat(caller.apiKey, dto, caller.signal);
        }),
    );
  }
}
