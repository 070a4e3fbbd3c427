import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { beginBenchmark } from './fixtures/progress.mjs';

/**
 * `npm run bench -- engines` runs bench/engines.mjs, and without a name all of them but the soak, one
 * after the other; what begins with -- is for a benchmark itself. What takes longer than ten seconds says
 * so on the standard error output. Figures go to bench/results/, and what is there to
 * bench/RESULTS.md, where sections and tables that have no figures here stay.
 */
const benchmarks = readdirSync(new URL('.', import.meta.url))
  .filter(
    (file) =>
      file.endsWith('.mjs') && !['run.mjs', 'support.mjs', 'from-service.mjs'].includes(file),
  )
  .map((file) => file.slice(0, -'.mjs'.length));
const names = process.argv.slice(2).filter((name) => !name.startsWith('--'));
if (names.some((name) => !benchmarks.includes(name))) {
  console.error(`Which benchmark? There are: ${benchmarks.join(', ')}`);
  process.exit(1);
}
// The soak takes half an hour, and more rights than others: it has a command of its own.
const usual = benchmarks.filter((name) => name !== 'soak');
for (const name of names.length > 0 ? names : usual) {
  const { default: run } = await import(`./${name}.mjs`);
  beginBenchmark(name);
  await run();
}
await writeResults();
process.exit(0);

async function writeResults() {
  const directory = new URL('./results/', import.meta.url);
  const results = new URL('./RESULTS.md', import.meta.url);
  const written = readFileSync(results, 'utf8')
    .split(/\n(?=## )/)
    .slice(1);
  const sections = new Map(written.map((text) => [/^## (.*)/.exec(text)?.[1] ?? '', text]));
  for (const file of readdirSync(directory)) {
    const name = file.slice(0, -'.json'.length);
    const { machine, notes, tables } = JSON.parse(readFileSync(new URL(file, directory), 'utf8'));
    const { processor, node, at } = machine;
    sections.set(
      name,
      [
        `## ${name}`,
        `${processor}, Node.js ${node}, ${at.slice(0, 10)}.`,
        ...Object.entries(tables).map(([title, rows]) => `### ${title}\n\n${table(rows)}`),
        notes.map((/** @type {string} */ note) => `- ${note}`).join('\n'),
        ...otherTables(sections.get(name) ?? '', Object.keys(tables)),
      ].join('\n\n'),
    );
  }
  const text = [
    '# Results',
    'Written by `npm run bench`. Ratios within one run tell more than figures do.',
    ...[...sections.keys()].sort().map((name) => sections.get(name)),
  ].join('\n\n');
  writeFileSync(results, await format(text, { parser: 'markdown' }));
}

/**
 * Tables of a written section that this run has not measured, each with the line that says when it was measured.
 *
 * @param {string} section
 * @param {string[]} measured titles
 */
function otherTables(section, measured) {
  const [head = '', ...parts] = section.trimEnd().split(/\n(?=### )/);
  const origin = head.split('\n').slice(1).join('\n').trim();
  return parts.flatMap((part) => {
    const [title = '', ...rest] = part.split('\n');
    if (measured.includes(title.slice('### '.length))) return [];
    const body = rest.join('\n').trim();
    return [[title, ...(body.startsWith('|') ? [origin] : []), body].join('\n\n')];
  });
}

/**
 * @param {Record<string, string | number>[]} rows
 */
function table(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const line = (/** @type {(string | number)[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [
    line(columns),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((column) => row[column] ?? ''))),
  ].join('\n');
}
