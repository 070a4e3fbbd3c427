import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import type { QueryAnswerDto, QueryResultDto } from '../../chat/answer.dto.js';
import {
  type ListedPassage,
  type ReadPassage,
  toListedPassage,
} from '../../chat/passage-reader.js';
import { answerTool, type McpCall, READ_ONLY } from './tool-answer.js';
import { FETCH_INPUT, FETCH_OUTPUT } from './tool-schemas.js';

interface FetchInput {
  readonly id: string;
}

/** Adds the fields that agents of other services expect of what they found. */
export const listPassages = ({
  results,
  ...answer
}: QueryAnswerDto): QueryAnswerDto & { results: (QueryResultDto & ListedPassage)[] } => ({
  ...answer,
  results: results.map((result) => ({ ...toListedPassage(result.chunk_id, result), ...result })),
});

export function registerFetchTool(
  server: McpServer,
  call: McpCall,
  read: (id: string) => Promise<ReadPassage>,
): void {
  server.registerTool(
    'fetch',
    {
      title: 'Fetch',
      description: 'Read a passage that was found, with the texts before and after it.',
      inputSchema: fromJsonSchema<FetchInput>(FETCH_INPUT),
      outputSchema: fromJsonSchema(FETCH_OUTPUT),
      annotations: READ_ONLY,
    },
    ({ id }) => answerTool(call, () => read(id)),
  );
}
