import { ApiCount, ApiId, ApiInstant } from '../../platform/openapi/api-fields.js';
import { percentile } from '../../usage/latency-histogram.js';
import type { UsageFigures } from './figures.js';

export class FiguresDto {
  /** Answered `/query` requests. */
  @ApiCount() queries: number;
  /** Answered `/chat` requests, those whose client left before the end included. */
  @ApiCount() chats: number;
  /** Begun in that time. */
  @ApiCount() conversations: number;
  /** Different `end_user_id`s, by quarters of an hour. */
  @ApiCount() end_users: number;
  /** Chats with an answer from the documents. */
  @ApiCount() answered: number;
  /** Chats without one; where the client left before the end, neither counts. */
  @ApiCount() unanswered: number;
  /** Greetings, thanks and the like: they ask nothing, so they are no chats. */
  @ApiCount() small_talk: number;
  /** Answers of that time that were rated so, whenever that was. */
  @ApiCount() up: number;
  @ApiCount() down: number;
  /**
   * up / (up + down); null when nothing was rated.
   * @example 0.9
   */
  satisfaction_rate: number | null;
  @ApiCount() prompt_tokens: number;
  @ApiCount() completion_tokens: number;
  /** Requests refused although the key was a real one, by quarters of an hour. */
  @ApiCount() refused: number;
  /**
   * Half of the answers took no longer, to within 10 %; null without any.
   * @example 12.5
   */
  latency_p50_ms: number | null;
  /** @example 48.2 */
  latency_p95_ms: number | null;
}

export class SeriesRowDto extends FiguresDto {
  /**
   * A day, or the beginning of an hour, in the time zone that was asked for.
   * @example '2026-11-20'
   */
  date: string;
}

export class AnalyticsDto {
  totals: FiguresDto;
  /** Every day or hour, also those in which nothing happened. */
  series: SeriesRowDto[];
}

export class KeyAnalyticsRowDto {
  /** It may be deleted since. */
  @ApiId('key') api_key_id: string;
  totals: FiguresDto;
}

export class KeyAnalyticsDto {
  /** The keys that anything was counted for. */
  data: KeyAnalyticsRowDto[];
}

export class UnansweredQuestionDto {
  /**
   * As it was asked last.
   * @example 'Do you ship to Norway?'
   */
  question: string;
  /** @example 12 */
  @ApiCount() count: number;
  @ApiInstant() last_asked_at: string;
}

export class TopDocumentDto {
  @ApiId('doc') document_id: string;
  /** @example 'Returns policy' */
  title: string;
  /**
   * Chat answers that cite it.
   * @example 120
   */
  @ApiCount() count: number;
}

export function toFiguresDto({ counts, latencies, endUsers }: UsageFigures): FiguresDto {
  const rated = counts.up + counts.down;
  return {
    queries: counts.queries,
    chats: counts.chats,
    conversations: counts.conversations,
    end_users: endUsers,
    answered: counts.answered,
    unanswered: counts.unanswered,
    small_talk: counts.smallTalk,
    up: counts.up,
    down: counts.down,
    satisfaction_rate: rated === 0 ? null : counts.up / rated,
    prompt_tokens: counts.promptTokens,
    completion_tokens: counts.completionTokens,
    refused: counts.refused,
    latency_p50_ms: percentile(latencies, 0.5),
    latency_p95_ms: percentile(latencies, 0.95),
  };
}
