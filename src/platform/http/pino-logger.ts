import type { LoggerService } from '@nestjs/common';
import type { FastifyBaseLogger } from 'fastify';
import { isTracing, traceFields } from '../telemetry/tracing.js';
import { redact, redactDeep } from './redact.js';

/** Contexts that log each module and route at the start. */
const CONTEXTS_OF_NEST = new Set([
  'NestFactory',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'NestApplication',
]);

/** Sends Nest's logs to Fastify's logger, so that all lines have the same format. */
export class PinoLogger implements LoggerService {
  constructor(private readonly pino: FastifyBaseLogger) {}

  log(message: unknown, context?: string): void {
    this.write(CONTEXTS_OF_NEST.has(context ?? '') ? 'debug' : 'info', message, context);
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

  private write(
    level: 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    context?: string,
  ) {
    if (message instanceof Error) this.pino[level]({ context, error: message }, message.message);
    else this.pino[level]({ context }, String(message));
  }
}

/** Options of Fastify's pino, which writes all log lines: secrets are redacted here. */
export const loggerOptions = (level: string) => ({
  level,
  base: null,
  formatters: {
    level: (label: string) => ({ level: label }),
    log: (fields: object) => redactDeep(fields) as Record<string, unknown>,
  },
  ...(isTracing() && { mixin: traceFields }),
  hooks: {
    logMethod(this: unknown, args: unknown[], method: (...args: unknown[]) => void) {
      method.apply(
        this,
        args.map((arg) => (typeof arg === 'string' ? redact(arg) : arg)),
      );
    },
  },
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
});
