import { ApiId, ApiInstant, ApiInteger } from '../../platform/openapi/api-fields.js';
import type { Channel, ChannelState, ChannelType } from './channel.entity.js';

export class WorkspaceDto {
  /** @example 'T061EG9R6' */
  id: string;
  /** @example 'The shop' */
  name: string;
}

export class ChannelDto {
  @ApiId('chan') id: string;
  @ApiId('kb') kb_id: string;
  type: ChannelType;
  /** @example 'Slack of the shop' */
  name: string;
  state: ChannelState;
  @ApiInteger({ minimum: 1 }) daily_messages: number;
  @ApiInteger({ minimum: 1 }) per_user_per_minute: number;
  /** The questions of today (UTC) that count towards `daily_messages`. */
  @ApiInteger({ minimum: 0 }) messages_today: number;
  /** Null without a bot token. */
  workspace: WorkspaceDto | null;
  /** When the last event was received, to the minute. */
  @ApiInstant(null) last_event_at: string | null;
  /**
   * Why the last message could not be sent; null once one was.
   * @example 'account_inactive'
   */
  last_error: string | null;
  @ApiInstant() created_at: string;
  @ApiInstant() updated_at: string;
}

/** @param messagesToday of everybody */
export function toChannelDto(channel: Channel, messagesToday: number): ChannelDto {
  const { apiKey, workspaceId, workspaceName } = channel;
  return {
    id: channel.id,
    kb_id: apiKey.ownerId,
    type: channel.type,
    name: channel.name,
    state: channel.state,
    daily_messages: apiKey.budget?.messages ?? 0,
    per_user_per_minute: apiKey.rateLimitPerEndUser ?? 0,
    messages_today: messagesToday,
    workspace: workspaceId === null ? null : { id: workspaceId, name: workspaceName ?? '' },
    last_event_at: channel.lastEventAt?.toISOString() ?? null,
    last_error: channel.lastError,
    created_at: channel.createdAt.toISOString(),
    updated_at: channel.updatedAt.toISOString(),
  };
}
