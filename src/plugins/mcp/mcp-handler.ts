import { Logger } from '@nestjs/common';
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  McpServer,
} from '@modelcontextprotocol/server';
import type { ChatService } from '../../chat/chat.service.js';
import { McpTools } from './mcp-tools.js';
import { type PersonServices, PersonTools } from './person-tools.js';
import type { McpCaller } from './mcp.service.js';

const INSTRUCTIONS =
  'Answers from the documents of the knowledge bases that the key opens. `search` finds passages, `fetch` reads one with the texts around it, `ask` answers a question with its sources.';

const INSTRUCTIONS_FOR_PERSONS =
  'Answers from the documents of the knowledge bases that the person may read, which `list_knowledge_bases` lists. `search` finds passages, `fetch` reads one with the texts around it, `ask` answers a question with its sources.';

const logger = new Logger('McpHandler');

/**
 * Serves both versions of the Model Context Protocol that clients use. Each request gets its own server
 * object, so any process can answer any request.
 */
export function createHandler(chat: ChatService, persons: PersonServices): McpHttpHandler {
  const tools = new McpTools(chat);
  const personTools = new PersonTools(persons);
  const serverFor = ({ authInfo }: McpRequestContext) => {
    const caller = authInfo?.extra?.['caller'] as McpCaller;
    const instructions = 'user' in caller ? INSTRUCTIONS_FOR_PERSONS : INSTRUCTIONS;
    const server = new McpServer(
      { name: 'latchkey', version: '1' },
      { instructions, capabilities: { tools: { listChanged: false } } },
    );
    if ('user' in caller) personTools.register(server, caller);
    else tools.register(server, caller);
    return server;
  };
  return createMcpHandler(serverFor, {
    onerror: (error) => {
      logger.debug(error.message);
    },
  });
}
