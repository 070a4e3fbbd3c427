// Leaves each rule with word lists by language out once, and prints what that changes in the answers to the
// questions that collect.mjs has written: a rule that no set needs by a hundredth goes.
// usage: node bench/answers/ablate.mjs words|meaning FILE…
import { spawnSync } from 'node:child_process';
import { registerHooks } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What replaces the exports of a module of packages/quoting when it is left out. */
const WITHOUT = {
  denials: 'export const denies = () => false; export const hasDenial = () => false;',
  'time-words': 'export const hasTimeWord = () => false; export const isPeriod = () => false;',
  'question-type':
    'export const findAnswerType = () => undefined; export const hasQuestionWord = () => true;',
  'asked-price': 'export const asksPrice = () => false; export const isPriceWord = () => false;',
  'other-variants': 'export const countOtherVariants = () => 0;',
  'name-before':
    'export const startWithName = (_, [start]) => start; export const nameInHeading = () => undefined;',
  'same-dates': 'export const findDates = () => []; export const findWordsOfSameDates = () => [];',
  'number-ranges':
    'export const findAskedNumbers = () => []; export const findNumbersWithin = () => [];',
  'calendar-ranges': 'export const findDatesWithin = () => [];',
};

const left = process.env['LEFT_OUT'];
if (left === undefined) {
  for (const name of ['nothing', ...Object.keys(WITHOUT)]) {
    const child = spawnSync(process.execPath, process.argv.slice(1), {
      env: { ...process.env, LEFT_OUT: name },
      encoding: 'utf8',
    });
    console.log(name.padEnd(18), child.status === 0 ? child.stdout.trim() : child.stderr);
  }
} else {
  const source = Object.entries(WITHOUT).find(([name]) => name === left)?.[1];
  registerHooks({
    load: (url, context, next) =>
      source !== undefined && url.endsWith(`/quoting/dist/${left}.js`)
        ? {
            format: 'module',
            shortCircuit: true,
            source: `export * from ${JSON.stringify(`${url}?original`)}; ${source}`,
          }
        : next(url, context),
  });
  const { judge } = await import(
    pathToFileURL(new URL('judge.mjs', import.meta.url).pathname).href
  );
  const [, , kind, ...files] = process.argv;
  console.log(
    files
      .map((file) => {
        const { right, near, off } = judge(kind, file);
        return `${basename(file, '.jsonl')} right ${right} near ${near} off ${off}`;
      })
      .join(' · '),
  );
}
