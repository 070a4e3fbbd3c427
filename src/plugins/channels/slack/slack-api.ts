import { Injectable } from '@nestjs/common';
import { parseJson } from '@latchkey/text/parse-json';
import { Config } from '../../../platform/config/config.js';
import { boundedFetch } from '../../../platform/model-endpoints/bounded-fetch.js';
import { ChannelFailure } from '../channel-port.js';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const CODE = /^[\w.-]{1,100}$/;
/** Where Slack takes replies to commands. */
const REPLY_ORIGIN = 'https://hooks.slack.com';

/** The token is of no use any more: only a person can change that. */
const ENDED = new Set([
  ...['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'],
  ...[
    'team_access_not_granted',
    'org_login_required',
    'ekm_access_denied',
    'not_allowed_token_type',
  ],
]);
/** It can work the next time. */
const BUSY = new Set([
  ...['ratelimited', 'rate_limited', 'internal_error', 'fatal_error', 'service_unavailable'],
  ...['request_timeout', 'team_added_to_org', 'message_limit_exceeded'],
]);

export type SlackAnswer = Readonly<Record<string, unknown>>;

/**
 * Calls Slack’s Web API. Slack’s own client repeats failed calls in memory, where ours wait in a queue that outlives the
 * process; see docs/decisions/channels.md.
 */
@Injectable()
export class SlackApi {
  private readonly base: string;
  private readonly fetch = boundedFetch(MAX_BYTES);

  constructor({ SLACK_API_URL }: Config) {
    this.base = SLACK_API_URL.replace(/\/$/, '');
  }

  /**
   * Reads something. The parameters are a form, since Slack drops them from JSON in many of these methods.
   *
   * @throws ChannelFailure
   */
  read(
    method: string,
    token: string,
    parameters: Readonly<Record<string, string>> = {},
  ): Promise<SlackAnswer> {
    return this.call(method, token, new URLSearchParams(parameters));
  }

  /**
   * Sends a message.
   *
   * @throws ChannelFailure
   */
  write(method: string, token: string, message: object): Promise<SlackAnswer> {
    return this.call(method, token, message);
  }

  private async call(
    method: string,
    token: string,
    body: URLSearchParams | object,
  ): Promise<SlackAnswer> {
    const authorization = `Bearer ${token}`;
    const response = await this.post(`${this.base}/${method}`, body, { authorization });
    const answer = await readAnswer(response);
    if (answer['ok'] === true) return answer;
    const { error } = answer;
    const code = typeof error === 'string' && CODE.test(error) ? error : 'unknown_error';
    const kind = ENDED.has(code) ? 'ended' : BUSY.has(code) ? 'busy' : 'refused';
    throw new ChannelFailure(kind, code);
  }

  /**
   * Sends the reply to a command.
   *
   * @throws ChannelFailure, also for an address that is not Slack’s
   */
  async reply(replyUrl: string, message: object): Promise<void> {
    const origin = URL.parse(replyUrl)?.origin;
    if (origin !== REPLY_ORIGIN && origin !== new URL(this.base).origin) {
      throw new ChannelFailure('refused', 'response_url_not_of_slack');
    }
    const { ok, status } = await this.post(replyUrl, message);
    if (!ok) throw new ChannelFailure('refused', `response_url_answered_${status}`);
  }

  private async post(
    url: string,
    body: URLSearchParams | object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const isForm = body instanceof URLSearchParams;
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json; charset=utf-8';
    const response = await this.fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': type,
        'user-agent': 'Latchkey/1',
      },
      body: isForm ? body.toString() : JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => {
      throw new ChannelFailure('busy', 'slack_unreachable');
    });
    const { status } = response;
    if (status === 429) {
      const seconds = Number(response.headers.get('retry-after') ?? NaN);
      const wait = Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
      throw new ChannelFailure('busy', 'ratelimited', wait);
    }
    if (status >= 500) throw new ChannelFailure('busy', `slack_answered_${status}`);
    return response;
  }
}

async function readAnswer(response: Response): Promise<SlackAnswer> {
  try {
    const answer = parseJson(await response.text());
    if (typeof answer === 'object' && answer !== null) return answer as SlackAnswer;
  } catch {
    // What is no JSON is not of Slack, but of something in between.
  }
  throw new ChannelFailure('busy', 'slack_answered_no_json');
}
