import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { filesWithoutPlugins } from './test/needed-plugins.mjs';
import { isRunning } from './test/support/plugins.mjs';
import { POSTGRES_ONLY, SHORT, SQLITE_ONLY, SQLITE_USUALLY } from './test/engines.mjs';

const isShort = Boolean(process.env.LATCHKEY_TEST_SHORT);
/** Before a release: test/support/repetitions.ts. */
const isThorough = Boolean(process.env.LATCHKEY_TEST_THOROUGH);

/** Plugins that do not run are not tested either: PLUGINS=none npm test. */
const stopped = readdirSync('src/plugins').filter((name) => !isRunning(name));
const ignoredPlugins = [
  ...stopped.map((name) => `!**/src/plugins/${name}/**`),
  ...filesWithoutPlugins(isRunning).map((name) => `!${import.meta.dirname}/test/**/${name}.e2e.ts`),
];

const project = {
  testEnvironment: 'node',
  // Packages are tested as sources, without a build.
  testEnvironmentOptions: { customExportConditions: ['@latchkey/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json', 'node'],
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
    // Their ESM entries import index.js, which the line above takes for the entry itself.
    '^playwright-core$': '<rootDir>/node_modules/playwright-core/index.js',
    '^@latchkey/client$': '<rootDir>/packages/client/src/index.ts',
    '^typeorm$': '<rootDir>/node_modules/typeorm/index.js',
  },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
      },
    ],
  },
};

/** The end-to-end tests run the built service as a child process, as users do. */
const endToEnd = (engine, filesOfTheOther = []) => ({
  ...project,
  // Packages as they are built, too: a child process or thread of theirs is beside them.
  testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'] },
  moduleNameMapper: {
    // As it is built: with its worker threads, and what the Swagger plugin adds to DTOs.
    '^(?:\\.{1,2}/)+src/(.*)\\.js$': '<rootDir>/dist/src/$1.js',
    ...project.moduleNameMapper,
  },
  displayName: engine,
  roots: ['<rootDir>/test', '<rootDir>/src'],
  testMatch: isShort
    ? SHORT[engine].map((file) => `**/${file}.e2e.ts`)
    : ['**/*.e2e.ts', ...filesOfTheOther.map((file) => `!**/${file}.e2e.ts`), ...ignoredPlugins],
  setupFiles: [`<rootDir>/test/support/engine-${engine}.ts`],
  globalSetup: `<rootDir>/test/support/setup-${engine}.mjs`,
  globalTeardown: `<rootDir>/test/support/teardown-${engine}.mjs`,
});

export default {
  projects: [
    {
      ...project,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/packages', '<rootDir>/test'],
      testMatch: isShort
        ? SHORT.unit.map((name) => `**/${name}.spec.ts`)
        : ['**/*.spec.ts', ...ignoredPlugins],
    },
    endToEnd('sqlite', POSTGRES_ONLY),
    endToEnd('postgres', [
      ...SQLITE_ONLY,
      ...(isThorough || process.env.TEST_POOLER ? [] : SQLITE_USUALLY),
    ]),
    {
      ...endToEnd('sqlite'),
      displayName: 'browser',
      testMatch: ['**/*.browser.ts', ...ignoredPlugins],
    },
    {
      ...endToEnd('postgres'),
      displayName: 'browser-postgres',
      // What comes out of the database; colours, widths and signing in do not.
      testMatch: ['**/console-{pages,tables}.browser.ts'],
    },
  ],
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  reporters: ['default', '<rootDir>/test/support/skipped-reporter.mjs'],
  testSequencer: '<rootDir>/test/support/slowest-first.mjs',
  // Much of a test's time is waiting: for a process to start, a lease to end, a minute to pass. Where it
  // repeats what rarely goes wrong, it computes.
  maxWorkers: (isThorough ? 1 : 2) * availableParallelism(),
  testTimeout: isThorough ? 900_000 : 300_000,
};
