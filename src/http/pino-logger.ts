import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import { redact } from './redact.js';

/** Sends what Nest logs through Fastify's logger, so that every line has one form. */
export class PinoLogger implements LoggerService {
  constructor(private readonly pino: FastifyBaseLogger) {}

  log(message: unknown, context?: string): void {
    // Nest tells of each module and route at the start; a request's own lines are Fastify's.
    this.write('debug', message, context);
  }

  warn(message: unknown, context?: string): void {
    this.write('warn', message, context);
  }

  error(message: unknown, ...rest: string[]): void {
    this.write('error', message, rest.at(-1));
  }

  fatal(message: unknown, context?: string): void {
    this.write('fatal', message, context);
  }

  private write(level: 'debug' | 'warn' | 'error' | 'fatal', message: unknown, context?: string) {
    const bindings = message instanceof Error ? { context, err: message } : { context };
    this.pino[level](bindings, message instanceof Error ? message.message : String(message));
  }
}

/** Fastify's own lines, without the secrets that people put into URLs by mistake. */
export const loggerOptions = (level: string) => ({
  level,
  serializers: {
    req: ({ method, url, ip }: FastifyRequest) => ({ method, url: redact(url), ip }),
  },
});
