import type { SamplingOptions } from '../../chat/answer-generator.js';
import type { AnswerEvent } from '../../chat/chat-event.js';
import type { SourceDto } from '../../chat/conversations/source.dto.js';
import type { ServerSentEvent } from '../../platform/http/event-stream.js';
import { newId } from '../../platform/http/type-id.js';
import type { ChatCompletionRequestDto } from './chat-completion-request.dto.js';
import { findCitations } from './citations.js';
import type { GivenMessage } from './given-messages.js';
import type { AnnotationDto, ChatCompletionDto } from './openai-answers.dto.js';
import { toText } from './openai-fields.js';
import { type GivenAnswer, ownFields } from './own-fields.js';
import { countTokens } from './token-usage.js';

/** The messages of a request. */
export const toGivenMessages = ({ messages }: ChatCompletionRequestDto): GivenMessage[] =>
  messages.map(({ role, content }) => ({ role, text: toText(content) }));

export const toSamplingOptions = ({
  temperature,
  top_p,
  stop,
  seed,
  frequency_penalty,
  presence_penalty,
  max_completion_tokens,
  max_tokens,
}: ChatCompletionRequestDto): SamplingOptions =>
  withoutAbsent({
    ...{ temperature, top_p, stop, seed, frequency_penalty, presence_penalty },
    max_completion_tokens: max_completion_tokens ?? max_tokens,
  });

/** Leaves out parameters that are absent. */
export const withoutAbsent = (given: Record<string, unknown>): SamplingOptions =>
  Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  );

/** The fields of a completion that are known before its answer. */
interface AskedCompletion {
  readonly model: string;
  readonly question: string;
  /** The time in seconds since 1970. */
  readonly created: number;
}

export function toCompletion(
  { model, question, created }: AskedCompletion,
  answer: GivenAnswer,
): ChatCompletionDto {
  const { message_id, sources } = answer;
  return {
    id: `chatcmpl-${message_id ?? newId('msg')}`,
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
          annotations: toAnnotations(answer.answer, sources),
        },
        logprobs: null,
        finish_reason: toFinishReason(answer),
      },
    ],
    usage: countTokens(question, answer),
    ...ownFields(answer),
  };
}

/** Yields the chunks of a completion while its answer is written. */
export async function* toChunks(
  { model, question, created }: AskedCompletion,
  events: AsyncIterable<AnswerEvent> | Iterable<AnswerEvent>,
  includeUsage: boolean,
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
        id = `chatcmpl-${data.message_id ?? newId('msg')}`;
        yield chunk({ role: 'assistant', content: '' });
        break;
      case 'sources':
      case 'related':
        break;
      case 'delta':
        yield chunk({ content: data.text });
        break;
      case 'message_end': {
        const annotations = toAnnotations(data.answer, data.sources);
        yield chunk({ annotations }, ownFields(data), toFinishReason(data));
        if (includeUsage)
          yield { data: { ...chunk({}).data, choices: [], usage: countTokens(question, data) } };
      }
    }
  }
  yield { data: '[DONE]' };
}

const toFinishReason = ({ finish_reason }: Pick<GivenAnswer, 'finish_reason'>) =>
  finish_reason === 'other' ? 'stop' : finish_reason;

const toAnnotations = (answer: string, sources: readonly SourceDto[]): AnnotationDto[] =>
  findCitations(answer, sources).map((citation) => ({
    type: 'url_citation',
    url_citation: citation,
  }));
