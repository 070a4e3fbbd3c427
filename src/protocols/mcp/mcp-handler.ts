import { Logger } from '@nestjs/common';
import {
  createMcpHandler,
  type McpHttpHandler,
  type McpRequestContext,
  McpServer,
} from '@modelcontextprotocol/server';
import type { ChatService } from '../../chat/chat.service.js';
import { type McpCaller, McpTools } from './mcp-tools.js';

const INSTRUCTIONS =
  'Answers from the documents of the knowledge bases that the key opens. `search` finds passages, `ask` answers a question with its sources.';

const logger = new Logger('McpHandler');

/**
 * Serves the Model Context Protocol in both of the versions that clients use. Each request gets its own
 * server object, so any process can answer any request.
 */
export function createHandler(chat: ChatService): McpHttpHandler {
  const tools = new McpTools(chat);
  const serverFor = ({ authInfo }: McpRequestContext) => {
    const server = new McpServer(
      { name: 'latchkey', version: '1' },
      { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
    );
    tools.register(server, authInfo?.extra?.['caller'] as McpCaller);
    return server;
  };
  return createMcpHandler(serverFor, {
    onerror: (error) => {
      logger.debug(error.message);
    },
  });
}
