import type { AnswerEvent } from '../../chat/chat-event.js';
import type { ServerSentEvent } from '../../platform/http/event-stream.js';
import { isTypeId, newId } from '../../platform/http/type-id.js';
import { findCitations } from './citations.js';
import { type GivenAnswer, ownFields } from './own-fields.js';
import type { ResponseRequestDto } from './response-request.dto.js';
import type { ResponseDto, ResponseMessageDto } from './response.dto.js';
import { countTokens } from './token-usage.js';

/** The fields of a response that are known before its answer. */
export interface AskedResponse {
  readonly dto: ResponseRequestDto;
  readonly model: string;
  readonly question: string;
  /** The time in seconds since 1970. */
  readonly created: number;
}

const toResponseId = (messageId: string) => messageId.replace(/^msg_/, 'resp_');

/**
 * @param id the id of a response, or of the message in it
 * @returns the id of the answer; undefined if the id is neither
 */
export function toAnswerId(id: string): string | undefined {
  const messageId = id.replace(/^resp_/, 'msg_');
  return isTypeId('msg', messageId) ? messageId : undefined;
}

export function toResponse(asked: AskedResponse, answer: GivenAnswer): ResponseDto {
  const messageId = answer.message_id ?? newId('msg');
  const { prompt_tokens, completion_tokens, total_tokens } = countTokens(asked.question, answer);
  return {
    ...head(asked, messageId),
    ...ending(answer),
    output: [toMessage(answer, messageId)],
    usage: {
      input_tokens: prompt_tokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: completion_tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens,
    },
    ...ownFields(answer),
  };
}

/** Yields the events of a response while its answer is written. */
export async function* toResponseEvents(
  asked: AskedResponse,
  events: AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>,
): AsyncGenerator<ServerSentEvent> {
  let sequence = 0;
  const event = (type: string, more: object): ServerSentEvent => ({
    event: type,
    data: { type, sequence_number: sequence++, ...more },
  });
  let id = '';
  const place = () => ({ item_id: id, output_index: 0, content_index: 0 });
  for await (const { event: name, data } of events) {
    switch (name) {
      case 'message_start': {
        id = data.message_id ?? newId('msg');
        const response = { ...head(asked, id), status: 'in_progress', output: [], usage: null };
        yield event('response.created', { response });
        yield event('response.in_progress', { response });
        const item = { id, type: 'message', role: 'assistant', status: 'in_progress', content: [] };
        yield event('response.output_item.added', { output_index: 0, item });
        yield event('response.content_part.added', { ...place(), part: toPart('', []) });
        break;
      }
      case 'sources':
      case 'related':
        break;
      case 'delta':
        yield event('response.output_text.delta', { ...place(), delta: data.text, logprobs: [] });
        break;
      case 'message_end': {
        const response = toResponse(asked, { ...data, message_id: id });
        const [item] = response.output;
        const [part] = item?.content ?? [];
        for (const [annotation_index, annotation] of (part?.annotations ?? []).entries()) {
          const added = { ...place(), annotation_index, annotation };
          yield event('response.output_text.annotation.added', added);
        }
        yield event('response.output_text.done', { ...place(), text: data.answer, logprobs: [] });
        yield event('response.content_part.done', { ...place(), part });
        yield event('response.output_item.done', { output_index: 0, item });
        yield event(`response.${response.status}`, {
          response: { ...response, ...ownFields(data) },
        });
      }
    }
  }
}

const head = ({ dto, model, created }: AskedResponse, messageId: string) => ({
  id: toResponseId(messageId),
  object: 'response' as const,
  created_at: created,
  error: null,
  incomplete_details: null,
  instructions: dto.instructions ?? null,
  model,
  parallel_tool_calls: false,
  previous_response_id: dto.previous_response_id ?? null,
  temperature: dto.temperature ?? null,
  top_p: dto.top_p ?? null,
  tool_choice: 'auto' as const,
  tools: [],
  metadata: {},
});

function ending({ finish_reason: reason }: GivenAnswer) {
  if (reason !== 'length' && reason !== 'content_filter') {
    return { status: 'completed' as const, incomplete_details: null };
  }
  const why = reason === 'length' ? ('max_output_tokens' as const) : reason;
  return { status: 'incomplete' as const, incomplete_details: { reason: why } };
}

const toMessage = (answer: GivenAnswer, id: string): ResponseMessageDto => ({
  id,
  type: 'message',
  role: 'assistant',
  status: ending(answer).status,
  content: [toPart(answer.answer, answer.sources)],
});

const toPart = (text: string, sources: GivenAnswer['sources']) => ({
  type: 'output_text' as const,
  text,
  annotations: findCitations(text, sources).map((citation) => ({
    type: 'url_citation' as const,
    ...citation,
  })),
  logprobs: [],
});
