import type { AnswerDto, ChatAnswerDto, DashboardAnswerDto } from '../../chat/answer.dto.js';
import type { ChatEvent } from '../../chat/chat-event.js';
import type { SamplingOptions } from '../../chat/answer-generator.js';
import type { GivenContext } from '../../chat/chat.service.js';
import type { Turn } from '../../chat/conversations/exchange.js';
import type { SourceDto } from '../../chat/conversations/source.dto.js';
import type { ServerSentEvent } from '../../platform/http/event-stream.js';
import { invalidField } from '../../platform/problems/problem.js';
import type { ChatCompletionRequestDto, ChatMessageDto } from './chat-completion-request.dto.js';
import type { AnnotationDto, ChatCompletionDto } from './openai-answers.dto.js';
import { textOf } from './openai-fields.js';
import { instructionsOf } from './requested-limits.js';

/** The question of a request, with its history, instructions and sampling parameters. */
export function readRequest(dto: ChatCompletionRequestDto): {
  question: string;
  context: GivenContext;
} {
  const last = dto.messages.at(-1);
  if (last?.role !== 'user')
    throw invalidField('messages', 'The last message must be of the role user');
  return {
    question: textOf(last.content),
    context: {
      history: turnsOf(dto.messages.slice(0, -1)),
      instructions: instructionsOf(dto).join('\n\n'),
      sampling: samplingOf(dto),
    },
  };
}

/** Each answer with the question before it; a question without an answer is left out. */
function turnsOf(messages: readonly ChatMessageDto[]): Turn[] {
  const turns: Turn[] = [];
  let question: string | undefined;
  for (const { role, content } of messages) {
    if (role === 'user') question = textOf(content);
    if (role !== 'assistant' || question === undefined) continue;
    turns.push({ question, answer: textOf(content) });
    question = undefined;
  }
  return turns;
}

function samplingOf(dto: ChatCompletionRequestDto): SamplingOptions {
  const { temperature, top_p, stop, seed, frequency_penalty, presence_penalty } = dto;
  const max_completion_tokens = dto.max_completion_tokens ?? dto.max_tokens;
  const given = {
    ...{ temperature, top_p, stop, seed, frequency_penalty, presence_penalty },
    max_completion_tokens,
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  );
}

export function toCompletion(
  answer: ChatAnswerDto,
  model: string,
  created: number,
): ChatCompletionDto {
  const { message_id, sources } = answer;
  return {
    id: `chatcmpl-${message_id}`,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.answer,
          refusal: null,
          annotations: annotationsOf(answer.answer, sources),
        },
        logprobs: null,
        finish_reason: finishReasonOf(answer),
      },
    ],
    usage: usageOf(answer),
    ...ownFields(answer),
  };
}

/** The chunks of a completion, while its answer is written. */
export async function* toChunks(
  events: AsyncIterable<ChatEvent> | Iterable<ChatEvent>,
  { model, created, includeUsage }: { model: string; created: number; includeUsage: boolean },
): AsyncGenerator<ServerSentEvent> {
  let id = '';
  const chunk = (delta: object, more: object = {}, finish_reason: string | null = null) => ({
    data: {
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      ...(includeUsage && { usage: null }),
      ...more,
    },
  });
  for await (const { event, data } of events) {
    switch (event) {
      case 'message_start':
        id = `chatcmpl-${data.message_id}`;
        yield chunk({ role: 'assistant', content: '' });
        break;
      case 'sources':
      case 'related':
        break;
      case 'delta':
        yield chunk({ content: data.text });
        break;
      case 'message_end': {
        const annotations = annotationsOf(data.answer, data.sources);
        yield chunk({ annotations }, ownFields(data), finishReasonOf(data));
        if (includeUsage) yield { data: { ...chunk({}).data, choices: [], usage: usageOf(data) } };
      }
    }
  }
  yield { data: '[DONE]' };
}

/** What OpenAI's answers do not have. */
const ownFields = <Ids extends Pick<DashboardAnswerDto, 'message_id' | 'conversation_id'>>({
  sources,
  answered,
  kind,
  curated,
  grounded,
  related,
  message_id,
  conversation_id,
}: AnswerDto & Ids) => ({
  sources,
  answered,
  ...(kind && { kind }),
  ...(curated && { curated }),
  ...(grounded !== undefined && { grounded }),
  ...(related && { related }),
  message_id: message_id as Ids['message_id'],
  conversation_id: conversation_id as Ids['conversation_id'],
});

const finishReasonOf = ({ finish_reason }: Pick<ChatAnswerDto, 'finish_reason'>) =>
  finish_reason === 'other' ? 'stop' : finish_reason;

/** All 0 for an answer that was quoted without a model. */
function usageOf({ usage }: Pick<ChatAnswerDto, 'usage'>) {
  const { prompt_tokens, completion_tokens } = usage ?? { prompt_tokens: 0, completion_tokens: 0 };
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

/** The position of each `[n]` in the answer, and the source that it cites. */
function annotationsOf(answer: string, sources: readonly SourceDto[]): AnnotationDto[] {
  return [...answer.matchAll(/\[(\d{1,3})\]/g)].flatMap(
    ({ 0: citation, 1: index, index: start }) => {
      const source = sources.find((each) => each.index === Number(index));
      if (!source) return [];
      return [
        {
          type: 'url_citation',
          url_citation: {
            start_index: start,
            end_index: start + citation.length,
            title: source.document_title,
            url: source.source_url ?? `urn:latchkey:document:${source.document_id}`,
          },
        },
      ];
    },
  );
}
