import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The client has disconnected before the end of the answer. */
export class ClientLeftError extends Error {
  override name = 'ClientLeftError';
}

/** Whether the client has disconnected before it had sent the whole request. */
export const isCutOff = ({ raw }: FastifyRequest): boolean => !raw.complete && raw.errored !== null;

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
