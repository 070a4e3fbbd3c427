import { Agent as HttpAgent, type RequestOptions, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Injectable, Logger } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import { Config } from '../../platform/config/config.js';
import { limitInformation } from '../../platform/http/limit-information.js';
import { inSpan, markFailed, traceHeaders } from '../../platform/telemetry/tracing.js';
import type { AttemptResult, DeliveryLease } from './delivery-attempt.js';
import {
  AddressNotAllowedError,
  lookupPublicAddress,
  findUrlProblem,
} from '../../platform/http/receiver-address.js';
import { signatureHeaders } from './sign-delivery.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** The time limit of an attempt, from looking the name up to receiving the response's status. */
const TIMEOUT_MS = 10_000;
/** The response's body is not used. When it is larger than this, the connection is closed. */
const MAX_BODY_BYTES = 64 * 1024;

/** Sends one delivery once. A redirect is not followed, and counts as a failure. */
@Injectable()
export class WebhookSender {
  private readonly logger = new Logger(WebhookSender.name);
  private readonly allowPrivate: boolean;
  /** Has no keep-alive, so that every attempt resolves the name and checks its addresses again. */
  private readonly agents = { 'http:': new HttpAgent(), 'https:': new HttpsAgent() };

  constructor(
    config: Config,
    private readonly secrets: WebhookSecrets,
  ) {
    this.allowPrivate = config.WEBHOOK_ALLOW_PRIVATE === 'yes';
  }

  /**
   * @param signal aborted when the service stops
   * @returns undefined when `signal` aborted it
   */
  send(lease: DeliveryLease, signal: AbortSignal): Promise<AttemptResult | undefined> {
    const { row: delivery, webhook } = lease;
    const attributes = {
      'latchkey.webhook_id': webhook.id,
      'latchkey.delivery_id': delivery.id,
      'latchkey.event': delivery.event,
    };
    return inSpan('deliver webhook', { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const result = await this.attempt(lease, signal);
      if (result?.status != null) span?.setAttribute('http.response.status_code', result.status);
      if (span && result?.error != null) markFailed(span, result.error);
      return result;
    });
  }

  private async attempt(
    lease: DeliveryLease,
    signal: AbortSignal,
  ): Promise<AttemptResult | undefined> {
    const { webhook } = lease;
    const secrets = this.openSecrets(lease);
    if (!secrets) return { status: null, error: 'secret_unreadable' };
    // The URL is checked again, because the setting may have changed since the webhook was created.
    if (findUrlProblem(webhook.url, this.allowPrivate) !== undefined) {
      return { status: null, error: 'address_not_allowed' };
    }
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const status = await this.post(lease, secrets, AbortSignal.any([deadline, signal]));
      const accepted = status >= 200 && status < 300;
      return { status, error: accepted ? null : 'unexpected_status' };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (deadline.aborted) return { status: null, error: 'timeout' };
      const isRefused = error instanceof AddressNotAllowedError;
      return { status: null, error: isRefused ? 'address_not_allowed' : 'connection_failed' };
    }
  }

  private openSecrets({ webhook }: DeliveryLease): string[] | undefined {
    const opened = this.secrets.open(webhook);
    if (!opened) {
      this.logger.error(
        `Cannot decrypt the secret of ${webhook.id}: the pepper ${webhook.pepperId} is not configured. Configure it again, or rotate the secret`,
      );
      return undefined;
    }
    const { previousSecretUntil: until } = webhook;
    const signsToo = opened.previous !== null && until !== null && until > new Date();
    return [opened.secret, ...(signsToo && opened.previous !== null ? [opened.previous] : [])];
  }

  /** @returns the status of the response */
  private post(
    { row: delivery, webhook }: DeliveryLease,
    secrets: readonly string[],
    signal: AbortSignal,
  ): Promise<number> {
    const url = new URL(webhook.url);
    const isHttp = url.protocol === 'http:';
    const body = Buffer.from(delivery.body);
    const options: RequestOptions = {
      method: 'POST',
      agent: this.agents[isHttp ? 'http:' : 'https:'],
      signal,
      headers: {
        'content-type': 'application/json',
        'content-length': body.length,
        'user-agent': 'Latchkey-Webhooks/1',
        ...traceHeaders(),
        ...signatureHeaders(delivery, secrets, new Date()),
      },
      ...(!this.allowPrivate && { lookup: lookupPublicAddress }),
    };
    return new Promise((resolve, reject) => {
      const sent = (isHttp ? httpRequest : httpsRequest)(url, options);
      limitInformation(sent);
      sent.on('error', reject);
      sent.on('response', (response) => {
        resolve(response.statusCode ?? 0);
        let received = 0;
        response.on('data', (bytes: Buffer) => {
          received += bytes.length;
          if (received > MAX_BODY_BYTES) response.destroy();
        });
        // The status is known already, so it does not matter if the connection ends within the body.
        response.on('error', () => undefined);
      });
      sent.end(body);
    });
  }
}
