import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test, type TestingModule } from '@nestjs/testing';
import { ApiKeysModule } from '../../src/api-keys/api-keys.module.js';
import { APP_OPTIONS, configureApp, createAdapter } from '../../src/app.js';
import { AppModule } from '../../src/app.module.js';
import { loadPlugins } from '../../src/plugins.js';
import { Config } from '../../src/platform/config/config.js';
import { KnowledgeBasesModule } from '../../src/knowledge-bases/knowledge-bases.module.js';
import { DeclaredProviders } from '../../src/platform/discovery/declared-providers.js';
import type { LoadedPlugin } from '../../src/platform/plugins/plugin.js';
import { TEST_ENVIRONMENT } from './launch.mjs';
import { migratedDatabase } from './test-database.js';

@Module({})
class ProbeModule {}

interface More {
  readonly controllers?: Type[];
  readonly plugins?: readonly LoadedPlugin[];
}

/** The built modules, without a process of their own: what they do is seen from within, too. */
export class TestingApp {
  private constructor(
    readonly url: string,
    readonly module: TestingModule,
    private readonly app: NestFastifyApplication,
  ) {}

  /**
   * All modules, on a migrated database of their own, listening on a free port.
   *
   * @param more.controllers of the test, in a module that may use what is exported for routes
   * @param more.plugins run beside those of the service
   */
  static async start(
    environment: NodeJS.ProcessEnv = {},
    { controllers = [], plugins: added = [] }: More = {},
  ): Promise<TestingApp> {
    const config = await testConfig(environment);
    const { adapter, routes } = createAdapter(config);
    const plugins = [...(await loadPlugins(config)), ...added];
    const module = await Test.createTestingModule({
      imports: [
        AppModule.forRoot(config, plugins),
        { module: ProbeModule, imports: [KnowledgeBasesModule, ApiKeysModule], controllers },
      ],
    }).compile();
    const app = module.createNestApplication<NestFastifyApplication>(adapter, APP_OPTIONS);
    await configureApp(app, config, routes, plugins);
    await app.listen(0, '127.0.0.1');
    return new TestingApp(await app.getUrl(), module, app);
  }

  async stop(): Promise<void> {
    await this.app.close();
  }
}

/** A configuration with a migrated database in a folder of its own. */
export async function testConfig(environment: NodeJS.ProcessEnv = {}): Promise<Config> {
  const DATA_DIR = mkdtempSync(join(process.env['LATCHKEY_TEST_DIR'] ?? tmpdir(), 'data-'));
  return Config.fromEnvironment({
    ...TEST_ENVIRONMENT,
    EMBEDDINGS: 'off',
    LOG_LEVEL: 'silent',
    DATA_DIR,
    ...(await migratedDatabase(DATA_DIR)),
    ...environment,
  });
}

/** A module and those above it in AppModule, on which alone it may depend. */
export async function compileUpTo(module: unknown, config: Config): Promise<TestingModule> {
  const { imports = [] } = AppModule.forRoot(config, []);
  const testing = await Test.createTestingModule({
    imports: imports.slice(0, imports.findIndex((one) => one === module) + 1),
  })
    // It requires what the modules below declare.
    .overrideProvider(DeclaredProviders)
    .useValue({})
    .compile();
  return testing.init();
}
