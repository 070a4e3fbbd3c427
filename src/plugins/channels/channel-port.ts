import type { IncomingHttpHeaders } from 'node:http';
import { declareProviders } from '../../platform/discovery/declared-providers.js';
import type { ChannelType } from './channel.entity.js';

/** Somebody who writes to the bot, by the id that the chat service gave them. */
export interface ChannelUser {
  readonly id: string;
  /** Whether they belong to another workspace, which shares a conversation with this one. */
  readonly isStranger: boolean;
}

/** Something said to the bot. */
export interface ChannelQuestion {
  readonly place: string;
  /** The message, by which it is known within its place. */
  readonly message: string;
  /** The message that its thread began with. */
  readonly thread: string;
  readonly asker: ChannelUser;
  /** As the asker sees it; empty for a bare mention. */
  readonly text: string;
  /** Whether nobody but the asker reads the answer. */
  readonly isPrivate: boolean;
  /** When it was edited last, as the chat service dates it. */
  readonly editedAt?: string;
}

/** What a chat service tells, in a shape that is the same for all of them. Dates are comparable as texts. */
export type ChannelEvent =
  | ({ readonly kind: 'question' } & ChannelQuestion)
  | ({ readonly kind: 'edit'; readonly editedAt: string } & ChannelQuestion)
  | {
      readonly kind: 'reaction';
      readonly place: string;
      /** The message that it is on. */
      readonly message: string;
      readonly user: string;
      readonly rating: 'up' | 'down';
      readonly isRemoved: boolean;
      readonly at: string;
    }
  | {
      readonly kind: 'command';
      readonly asker: ChannelUser;
      readonly text: string;
      /** What the command is known by. */
      readonly message: string;
      readonly replyUrl: string;
    }
  /** `at` in milliseconds since 1970. */
  | { readonly kind: 'ended'; readonly reason: string; readonly at: number };

/** An event and its key, which is unique in the channel: chat services send events more than once. */
export interface ReceivedEvent {
  readonly key: string;
  readonly event: ChannelEvent;
}

/** What to answer to a request of the chat service, and the event in it; undefined for one that is of no interest. */
export interface Received {
  readonly body: object | undefined;
  readonly received?: ReceivedEvent | undefined;
}

/** The bot of a channel, as the chat service knows it. */
export interface ChannelBot {
  readonly workspaceId: string | null;
  readonly botUserId: string | null;
}

/** Where a token leads. */
export interface ChannelConnection {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly botUserId: string;
}

/** A place of a document that an answer is based on. */
export interface ReplySource {
  /** The number by which the text refers to it; null for what may help where there is no answer. */
  readonly index: number | null;
  readonly title: string;
  readonly url: string | null;
  /** Such as the heading and the page. */
  readonly place: string | null;
}

/** What the bot says. */
export interface ChannelReply {
  readonly text: string;
  /** Whether the text is Markdown, as models write it; a quotation is taken as it is. */
  readonly isMarkdown: boolean;
  readonly sources: readonly ReplySource[];
}

/** Where a reply goes: into a thread, or to the address that came with a command. */
export type ReplyTarget =
  { readonly place: string; readonly thread: string } | { readonly replyUrl: string };

/**
 * Why a call of the chat service failed: `busy` if it may be repeated, `ended` if the token is of no use any more,
 * `refused` if this call alone is.
 */
export class ChannelFailure extends Error {
  override name = 'ChannelFailure';

  /** @param retryAfterMs how long the chat service asks to wait; undefined if it does not say */
  constructor(
    readonly kind: 'busy' | 'ended' | 'refused',
    message: string,
    readonly retryAfterMs?: number,
  ) {
    super(message);
  }
}

/** A request as it came. */
export interface SignedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * A chat service. An implementation knows its wire form and nothing of questions, limits and conversations; calls
 * throw ChannelFailure.
 */
export interface ChannelPort {
  readonly type: ChannelType;

  /** Whether the secret has signed the request, just now. */
  verify(request: SignedRequest, signingSecret: string): boolean;
  /** Reads a request with an event. @returns undefined if it is none */
  readEvent(body: unknown, bot: ChannelBot): Received | undefined;
  /** Reads a request with a command. @returns undefined if it is none */
  readCommand(body: unknown, bot: ChannelBot): Received | undefined;

  connect(token: string): Promise<ChannelConnection>;
  /** The address of somebody of the workspace itself; undefined for guests, strangers and bots, and without the permission. */
  findEmail(token: string, workspaceId: string, user: ChannelUser): Promise<string | undefined>;
  /** @returns the message; undefined where replies have no id */
  send(token: string, target: ReplyTarget, reply: ChannelReply): Promise<string | undefined>;
  /** Replaces a reply. */
  replace(token: string, place: string, message: string, reply: ChannelReply): Promise<void>;
}

/** Declares a provider as the port of its chat service. */
export const IsChannelPort = declareProviders<ChannelPort>();
