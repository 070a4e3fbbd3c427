import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { AppModule } from './app.module.js';
import { Config } from './platform/config/config.js';
import { serveConsole } from './platform/console/serve-console.js';
import { serveGuide } from './platform/guide/serve-guide.js';
import { closeAtSignals } from './platform/process-end.js';
import { migrate } from './platform/database/migrate.js';
import { logAnswers, observeAnswers } from './platform/http/access-log.js';
import { closeAnsweredConnections } from './platform/http/connection-drain.js';
import { acceptBodies } from './platform/http/request-body.js';
import { RouteTable } from './platform/http/route-table.js';
import { serveOpenApi } from './platform/swagger-ui/serve-open-api.js';
import { loggerOptions, PinoLogger } from './platform/http/pino-logger.js';
import { answerMalformedRequest } from './platform/http/malformed-request.js';
import { listWebhooks, loadPlugins } from './plugins.js';
import type { LoadedPlugin } from './platform/plugins/plugin.js';
import { ProblemFilter, sendProblem, toProblem } from './platform/http/problem.filter.js';
import { protectBrowsers } from './platform/http/browsers.js';
import { requestId } from './platform/http/request-id.js';
import { BodyValidationPipe } from './platform/http/validation.pipe.js';
import { Metrics } from './platform/metrics/metrics.js';
import { traceRequests } from './platform/telemetry/trace-requests.js';

/** How long a client may take to send its headers, and all of a request. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** An external id of 255 characters, percent-encoded, each of up to four bytes. */
const MAX_PATH_SEGMENT = 255 * 4 * '%00'.length;

/** The whole service on an up-to-date database, ready to listen. */
export async function createApp(config: Config): Promise<NestFastifyApplication> {
  const plugins = await loadPlugins(config);
  for (const plugin of plugins) await plugin.requireConfig?.(config);
  await migrate(config);
  const { adapter, routes } = createAdapter(config);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, plugins),
    adapter,
    {
      ...APP_OPTIONS,
      // An error is thrown, and not logged as well.
      abortOnError: false,
      autoFlushLogs: false,
    },
  );
  await configureApp(app, config, routes, plugins);
  return app;
}

export const APP_OPTIONS = { bodyParser: false, bufferLogs: true } as const;

/** Fastify as the service uses it, before it has routes. */
export function createAdapter(config: Config) {
  const adapter = new FastifyAdapter({
    logger: loggerOptions(config.LOG_LEVEL),
    // logAnswers() logs requests instead.
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'request_id',
    }),
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: 2000 },
    genReqId: requestId,
    trustProxy: config.TRUSTED_PROXY_CIDRS.length > 0 ? [...config.TRUSTED_PROXY_CIDRS] : false,
    routerOptions: { maxParamLength: MAX_PATH_SEGMENT },
    clientErrorHandler: answerMalformedRequest,
    // Errors before routing, such as a path that cannot be decoded.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const problem = toProblem(error);
      const isUnknown = problem.code === 'not_found';
      sendProblem(request, reply, isUnknown ? routes.unknownPath(request.url) : problem, routes);
    },
  });
  const fastify = adapter.getInstance();
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  // Node would answer 417 by itself. What else is expected than 100-continue may be ignored.
  fastify.server.on('checkExpectation', (request, response) =>
    fastify.server.emit('request', request, response),
  );
  traceRequests(fastify);
  logAnswers(fastify);
  closeAnsweredConnections(fastify);
  const routes = new RouteTable(fastify);
  return { adapter, routes };
}

/** What an application of all modules needs besides them. */
export async function configureApp(
  app: NestFastifyApplication,
  config: Config,
  routes: RouteTable,
  plugins: readonly LoadedPlugin[],
): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  app.useLogger(new PinoLogger(fastify.log));
  app.flushLogs();
  if (config.METRICS_PORT !== undefined) observeAnswers(fastify, app.get(Metrics));
  await protectBrowsers(app, routes, config);
  await acceptBodies(fastify);
  routeBelowPrefix(app, plugins);
  app.useGlobalPipes(new BodyValidationPipe());
  app.useGlobalFilters(new ProblemFilter(routes));
  closeAtSignals(app);
  serveOpenApi(app, listWebhooks(plugins), config.dashboardAuth);
  serveGuide(fastify);
  const hasConsole = serveConsole(
    fastify,
    config,
    plugins.map(({ name }) => name),
  );
  fastify.get('/', (_, reply) => reply.redirect(hasConsole ? '/console' : '/docs'));
  await app.init();
}

/** The base path of the API, and what is outside of it. */
export function routeBelowPrefix(
  app: NestFastifyApplication,
  plugins: readonly LoadedPlugin[],
): void {
  app.setGlobalPrefix('api/v1', {
    exclude: [
      'health/live',
      'health/ready',
      '.well-known/security.txt',
      ...plugins.flatMap(({ rootPaths = [] }) => rootPaths),
    ],
  });
}
