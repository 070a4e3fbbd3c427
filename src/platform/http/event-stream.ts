import { PassThrough, type Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { toProblem } from './problem.filter.js';

const PING_INTERVAL_MS = 10_000;
/** A client that reads nothing for this long is considered gone. */
const STALL_LIMIT_MS = 30_000;

const logger = new Logger('EventStream');

/** A server-sent event; `data` is sent as JSON unless it is a string. */
export interface ServerSentEvent {
  /** Clients treat an event without a name as `message`. */
  readonly event?: string;
  readonly data: object | string;
}

/**
 * Opens a `text/event-stream` and returns its body for the controller to return. The next event is
 * requested only when the client has read the previous one.
 *
 * @param events must end by themselves when the client disconnects
 * @param toErrorEvent makes the last event after an error; by default the event `error` with its
 *   problem
 */
export function openEventStream(
  reply: FastifyReply,
  events: AsyncIterable<ServerSentEvent> | Iterable<ServerSentEvent>,
  toErrorEvent = (error: unknown): ServerSentEvent => ({
    event: 'error',
    data: toProblem(error).toBody(reply.request.id),
  }),
): Readable {
  void reply.headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // nginx would otherwise buffer the whole response.
    'x-accel-buffering': 'no',
  });
  const body = new PassThrough();
  void send(body, events, toErrorEvent);
  return body;
}

async function send(
  body: PassThrough,
  events: AsyncIterable<ServerSentEvent> | Iterable<ServerSentEvent>,
  toErrorEvent: (error: unknown) => ServerSentEvent,
): Promise<void> {
  const ping = setInterval(() => {
    if (!body.writableNeedDrain) body.write(': ping\n\n');
  }, PING_INTERVAL_MS);
  try {
    for await (const event of events) await write(body, event);
  } catch (error) {
    if (body.destroyed) return;
    if (toProblem(error).getStatus() >= 500) logger.error(error);
    await write(body, toErrorEvent(error));
  } finally {
    clearInterval(ping);
    body.end();
  }
}

async function write(body: PassThrough, { event, data }: ServerSentEvent): Promise<void> {
  if (body.destroyed) return;
  const name = event === undefined ? '' : `event: ${event}\n`;
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  if (body.write(`${name}data: ${text}\n\n`)) return;
  const stalled = setTimeout(() => body.destroy(), STALL_LIMIT_MS);
  await new Promise<void>((resolve) => {
    const resume = () => {
      body.off('drain', resume).off('close', resume);
      resolve();
    };
    body.on('drain', resume).on('close', resume);
  });
  clearTimeout(stalled);
}
