import { Webhook as Signer } from 'standardwebhooks';

/** A message of Standard Webhooks. */
interface SignedMessage {
  /** The id of the delivery, which is the same in every attempt. */
  readonly id: string;
  readonly body: string;
}

/**
 * Builds the headers of one attempt according to Standard Webhooks.
 *
 * @param secrets each adds a signature; a receiver accepts the message if one of them matches
 * @param at the time of the attempt; receivers refuse old ones
 */
export const signatureHeaders = (
  { id, body }: SignedMessage,
  secrets: readonly string[],
  at: Date,
) => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, at, body)).join(' '),
});
