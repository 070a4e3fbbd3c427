const REASON = /\(skipped: (.*)\)$/;
/** @type {[RegExp, string][]} What runs the files of a path. */
const COMMANDS = [
  [/\.browser\.ts$/, 'npm test -- browser'],
  [/\/test\/(faults|interop|timed|attacks)\//, 'npm test -- $1'],
  [/\.e2e\.ts$/, 'npm test'],
];

/** Jest's reporter: how many tests were skipped and why, one line for each reason, after all else. */
export default class SkippedReporter {
  /** @param {{ testNamePattern?: string }} globalConfig */
  constructor({ testNamePattern }) {
    this.isFiltered = Boolean(testNamePattern);
  }

  /**
   * @param {unknown} _contexts
   * @param {{ testResults: { testFilePath: string, testResults: {
   *   status: string, title: string, ancestorTitles: string[] }[] }[] }} results
   */
  onRunComplete(_contexts, { testResults }) {
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const { testFilePath, testResults: tests } of testResults) {
      for (const { status, title, ancestorTitles } of tests) {
        if (status !== 'pending') continue;
        const reason = [...ancestorTitles, title]
          .map((text) => REASON.exec(text)?.[1])
          .find(Boolean);
        // With a pattern, Jest counts as skipped whatever has another name.
        if (reason === undefined && this.isFiltered) continue;
        const line = `${reason ?? 'without a reason'} (${commandOf(testFilePath)})`;
        counts.set(line, (counts.get(line) ?? 0) + 1);
      }
    }
    const lines = [...counts].sort(([, one], [, other]) => other - one);
    for (const [line, count] of lines) console.log(`${count} skipped: ${line}`);
  }
}

/** @param {string} path of a test file */
function commandOf(path) {
  for (const [pattern, command] of COMMANDS) {
    const match = pattern.exec(path);
    if (match) return command.replace('$1', match[1] ?? '');
  }
  return 'npm test -- unit';
}
