import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module.js';
import { routeBelowPrefix } from '../app.js';
import { listWebhooks, loadPlugins } from '../plugins.js';
import { Config } from '../platform/config/config.js';
import { describeApi } from '../platform/openapi/open-api.js';

// Writes the OpenAPI document. In preview mode nothing is instantiated, so it needs neither a database nor
// a port.
const [file = 'openapi.json'] = process.argv.slice(2);
const config = Config.fromEnvironment({});
const plugins = await loadPlugins(config);
const app = await NestFactory.create<NestFastifyApplication>(
  AppModule.forRoot(config, plugins),
  new FastifyAdapter(),
  { preview: true, logger: ['error', 'fatal'], abortOnError: false },
);
routeBelowPrefix(app, plugins);
writeFileSync(file, `${byLine(describeApi(app, listWebhooks(plugins)))}\n`);

/** Writes JSON with a line for each operation and schema, so that changes of two of them merge. */
function byLine(value: object, depth = 2): string {
  const lines = Object.entries(value).map(([name, entry]: [string, unknown]) => {
    const isSplit = depth > 0 && typeof entry === 'object' && entry !== null;
    const json =
      isSplit && !Array.isArray(entry) ? byLine(entry, depth - 1) : JSON.stringify(entry);
    return `${JSON.stringify(name)}:${json}`;
  });
  return `{\n${lines.join(',\n')}\n}`;
}
