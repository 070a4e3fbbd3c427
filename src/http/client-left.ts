import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** The client has disconnected before the end of the answer. */
export class ClientLeftError extends Error {
  override name = 'ClientLeftError';
}

/** An AbortSignal, aborted when the client disconnects before it has the whole answer. */
export const ClientLeft = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const controller = new AbortController();
  const abort = () => {
    if (!raw.writableFinished) controller.abort(new ClientLeftError());
  };
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return controller.signal;
});
