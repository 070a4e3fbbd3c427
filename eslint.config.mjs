import eslint from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const UNSAFE_PARSERS = [
  {
    selector: 'MemberExpression[object.name="JSON"][property.name="parse"]',
    message: 'Use parseJson of @latchkey/text/parse-json.',
  },
  {
    selector: 'CallExpression[callee.property.name="json"][arguments.length=0]',
    message: 'Use parseResponse of @latchkey/text/parse-json.',
  },
];

const TOP_LEVEL_AWAIT = {
  selector: 'AwaitExpression:not(:function AwaitExpression)',
  message: 'Node.js crashes if a thread is terminated while it loads what imports this file.',
};

export default tseslint.config(
  { ignores: ['**/dist/', 'data/', 'packages/client/src/openapi.ts'] },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: [
          './tsconfig.json',
          './console/tsconfig.json',
          './packages/client/tsconfig.json',
          './packages/widget/tsconfig.json',
        ],
      },
    },
    rules: {
      // A Nest module is a class without members.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // DTOs and entities are classes for their decorators; their values are plain objects.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
    },
  },
  {
    // Texts come from outside: a pattern that takes longer than in proportion to them holds up
    // everybody.
    files: [
      'src/**/*.ts',
      'packages/{text,extraction,ranking,quoting,embeddings,sources,cli}/src/**/*.ts',
    ],
    ignores: ['**/*.{e2e,browser}.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': [
        'error',
        { report: 'potential', ignoreSticky: false, ignorePartial: false },
      ],
    },
  },
  {
    // Property names with escapes get wrong names, and one client can choose which for all others.
    files: ['src/**/*.ts'],
    // What its user gives it is all that the command line reads; tests say what the parser itself does.
    ignores: ['packages/cli/src/**', '**/*.{spec,e2e,browser}.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...UNSAFE_PARSERS],
    },
  },
  {
    // What a thread may load, so all but the entries of processes.
    files: ['src/**/*.ts'],
    ignores: [
      '**/*.{spec,e2e,browser,command,process}.ts',
      'src/main.ts',
      'src/operations/{write-open-api,migration-data-source}.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...UNSAFE_PARSERS, TOP_LEVEL_AWAIT] },
  },
  {
    files: ['packages/{text,extraction,ranking,quoting,embeddings,sources}/src/**/*.ts'],
    ignores: ['**/*.{spec,process}.ts'],
    rules: { 'no-restricted-syntax': ['error', TOP_LEVEL_AWAIT] },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        URL: 'readonly',
        globalThis: 'readonly',
      },
    },
  },
);
