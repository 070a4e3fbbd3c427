import { readdirSync } from 'node:fs';

/** `npm run bench -- engines` runs bench/engines.mjs; its figures go to bench/results/. */
const benchmarks = readdirSync(new URL('.', import.meta.url))
  .filter((file) => file.endsWith('.mjs') && !['run.mjs', 'support.mjs'].includes(file))
  .map((file) => file.slice(0, -'.mjs'.length));
const names = process.argv.slice(2);
if (names.length === 0 || names.some((name) => !benchmarks.includes(name))) {
  console.error(`Which benchmark? There are: ${benchmarks.join(', ')}`);
  process.exit(1);
}
for (const name of names) {
  const { default: run } = await import(`./${name}.mjs`);
  await run();
}
process.exit(0);
