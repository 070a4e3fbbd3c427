import { createParamDecorator, ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** The client is gone: there is nobody to answer. */
export class ClientLeftError extends Error {
  override name = 'ClientLeftError';
}

/** An AbortSignal that tells when the client leaves before it has the whole answer. */
export const ClientLeft = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const controller = new AbortController();
  const leave = () => {
    if (!raw.writableFinished) controller.abort(new ClientLeftError());
  };
  if (raw.destroyed) leave();
  else raw.once('close', leave);
  return controller.signal;
});
