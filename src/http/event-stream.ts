import { PassThrough, type Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { toProblem } from '../problems/problem.filter.js';

const PING_INTERVAL_MS = 10_000;
/** A client that takes nothing for so long is gone. */
const STALL_LIMIT_MS = 30_000;

const logger = new Logger('EventStream');

/** One server-sent event; `data` goes out as JSON. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: object;
}

/**
 * The body of a `text/event-stream`, for a controller to return. Events are asked for as fast as the
 * client takes them. An error becomes the event `error`, with the problem it would have been.
 *
 * @param events must come to an end by themselves when the client leaves
 */
export function openEventStream(
  reply: FastifyReply,
  events: AsyncIterable<ServerSentEvent> | Iterable<ServerSentEvent>,
): Readable {
  void reply.headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // nginx would otherwise keep it until it is whole.
    'x-accel-buffering': 'no',
  });
  const body = new PassThrough();
  void send(body, events, reply.request.id);
  return body;
}

async function send(
  body: PassThrough,
  events: AsyncIterable<ServerSentEvent> | Iterable<ServerSentEvent>,
  requestId: string,
): Promise<void> {
  const ping = setInterval(() => {
    if (!body.writableNeedDrain) body.write(': ping\n\n');
  }, PING_INTERVAL_MS);
  try {
    for await (const event of events) await write(body, event);
  } catch (error) {
    if (body.destroyed) return;
    const problem = toProblem(error);
    if (problem.getStatus() >= 500) logger.error(error);
    await write(body, { event: 'error', data: problem.toBody(requestId) });
  } finally {
    clearInterval(ping);
    body.end();
  }
}

async function write(body: PassThrough, { event, data }: ServerSentEvent): Promise<void> {
  if (body.destroyed) return;
  if (body.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)) return;
  const stalled = setTimeout(() => body.destroy(), STALL_LIMIT_MS);
  await new Promise<void>((resolve) => {
    const goOn = () => {
      body.off('drain', goOn).off('close', goOn);
      resolve();
    };
    body.on('drain', goOn).on('close', goOn);
  });
  clearTimeout(stalled);
}
