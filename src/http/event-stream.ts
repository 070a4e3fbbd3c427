import { PassThrough, type Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { toProblem } from '../problems/problem.filter.js';

const PING_INTERVAL_MS = 10_000;
/** A client that reads nothing for so long is considered gone. */
const STALL_LIMIT_MS = 30_000;

const logger = new Logger('EventStream');

/** One server-sent event; `data` goes out as JSON. */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: object;
}

/**
 * The body of a `text/event-stream`, for a controller to return. The next event is requested when
 * the client has read the one before. An error becomes the event `error`, with its problem.
 *
 * @param events must end by themselves when the client disconnects
 */
export function openEventStream(
  reply: FastifyReply,
  events: AsyncIterable<ServerSentEvent> | Iterable<ServerSentEvent>,
): Readable {
  void reply.headers({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // nginx would otherwise buffer it to the end.
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
    const resume = () => {
      body.off('drain', resume).off('close', resume);
      resolve();
    };
    body.on('drain', resume).on('close', resume);
  });
  clearTimeout(stalled);
}
