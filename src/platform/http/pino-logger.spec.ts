import { Logger } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import fastify from 'fastify';
import { PinoLogger } from './pino-logger.js';

/** As pino writes levels. */
const [DEBUG, INFO] = [20, 30];

describe(PinoLogger.name, () => {
  it('logs what the service says at info, and what Nest says at a start at debug', () => {
    const lines: { level: number; msg: string }[] = [];
    const write = (line: string) => lines.push(JSON.parse(line) as { level: number; msg: string });
    const { log } = fastify({ logger: { level: 'debug', stream: { write } } });
    Logger.overrideLogger(new PinoLogger(log));
    new Logger('BackgroundModel').log('Installing a model');
    new Logger('RouterExplorer').log('Mapped {/docs, GET} route');
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [INFO, 'Installing a model'],
      [DEBUG, 'Mapped {/docs, GET} route'],
    ]);
  });
});
