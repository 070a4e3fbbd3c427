import { expect, it, jest } from '@jest/globals';
import SkippedReporter from '../support/skipped-reporter.mjs';

it('are counted at the end of a run by their reason, with the command that runs them', () => {
  const log = jest.spyOn(console, 'log').mockReturnValue();
  const skipped = (title: string, ...ancestorTitles: string[]) => ({
    status: 'pending',
    title,
    ancestorTitles,
  });
  const results = {
    testResults: [
      {
        testFilePath: '/project/test/nginx.e2e.ts',
        testResults: [
          skipped('passes on what the service has', 'nginx (skipped: nginx is not installed)'),
          skipped(
            'ends what it has begun',
            'nginx (skipped: nginx is not installed)',
            'in a stream',
          ),
          { ...skipped('runs'), status: 'passed' },
        ],
      },
      {
        testFilePath: '/project/test/faults/disk.e2e.ts',
        testResults: [skipped('is full (skipped: mount is not installed)')],
      },
      { testFilePath: '/project/test/console.browser.ts', testResults: [skipped('forgotten')] },
    ],
  };
  new SkippedReporter({}).onRunComplete(undefined, results);
  new SkippedReporter({ testNamePattern: 'full' }).onRunComplete(undefined, {
    testResults: results.testResults.slice(1),
  });
  const lines = log.mock.calls.flat();
  log.mockRestore();
  expect(lines).toEqual([
    '2 skipped: nginx is not installed (npm test)',
    '1 skipped: mount is not installed (npm test -- faults)',
    '1 skipped: without a reason (npm test -- browser)',
    '1 skipped: mount is not installed (npm test -- faults)',
  ]);
});
