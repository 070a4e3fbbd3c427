import { Logger } from '@nestjs/common';
import type { CallToolResult, ToolAnnotations } from '@modelcontextprotocol/server';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { filterProblem } from '../../knowledge-bases/metadata-filter/filter-problem.js';
import { toProblem } from '../../platform/http/problem.filter.js';
import { invalidField } from '../../platform/problems/problem.js';
import { toText } from '../../platform/problems/remediation.js';

/** The parts of the HTTP request that every tool needs. */
export interface McpCall {
  readonly signal: AbortSignal;
  readonly requestId: string;
}

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  openWorldHint: false,
};

const logger = new Logger('McpTools');

/** Returns a problem as the tool's result, so that the model can read it and try again. */
export async function answerTool(
  { requestId }: McpCall,
  work: () => Promise<object>,
): Promise<CallToolResult> {
  try {
    const answer = (await work()) as Record<string, unknown>;
    return {
      content: [{ type: 'text', text: JSON.stringify(answer) }],
      structuredContent: answer,
    };
  } catch (error) {
    const problem = toProblem(error);
    if (problem.getStatus() >= 500) logger.error(error);
    const text = `${problem.code}: ${toText(problem)} (request ${requestId})`;
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

/** @throws Problem `validation_failed` */
export function optionalFilter(filter: MetadataFilter | undefined): { filter?: MetadataFilter } {
  const problem = filter === undefined ? undefined : filterProblem(filter);
  if (problem !== undefined) throw invalidField('filter', problem);
  return filter ? { filter } : {};
}
