import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The client disconnected before the response was complete. */
export class ClientLeftError extends Error {
  override name = 'ClientLeftError';
}

/** Whether the client disconnected before it had sent the whole request. */
export const isCutOff = ({ raw }: FastifyRequest): boolean => !raw.complete && raw.errored !== null;

/** An AbortSignal that is aborted when the client disconnects before the response is complete. */
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
