// Asks all questions of the collections in this process, without the stage of `argv[2]`; see ../ablation.mjs.
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { fromService } from '../from-service.mjs';
import { STAGES } from './stages.mjs';

const [, , name = '', directory = '', knowledgeBases = '[]'] = process.argv;
const stage = STAGES.find((one) => one.name === name);

let isReplaced = false;
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!stage || !url.endsWith(`/packages/${stage.module}`)) return loaded;
    isReplaced = true;
    const source = String(loaded.source);
    const replaced = source.replace(
      new RegExp(`^export (?=(?:async )?(?:function|class|const) ${stage.replaced}\\b)`, 'm'),
      '',
    );
    if (replaced === source) throw new Error(`${stage.module} has no ${stage.replaced}`);
    const own = replaced.replace(
      new RegExp(`((?:function|class|const) )${stage.replaced}\\b`),
      `$1${stage.replaced}Left`,
    );
    return { ...loaded, source: `${own}\nexport const ${stage.replaced} = ${stage.by};\n` };
  },
});

// Only from here on are the stage's modules loaded.
const { corrupt, gain, generator, readCollection } = await import('../fixtures/collections.mjs');
const { searchPassages } = await import('@latchkey/ranking/search-passages');
const { SearchDeadline } = await import('@latchkey/ranking/search-deadline');
const { StoredIndexReader } = await fromService('documents/search/index-reader.js');
const { SqliteIndexStore } = await fromService('documents/search/sqlite/sqlite-index-store.js');

const RESULTS = 30;
const MAX_LENGTH = 8000;

/** @type {{ name: string, id: string }[]} */
const all = JSON.parse(knowledgeBases);
const results = [];
for (const { name: collection, id: kbId } of all) {
  const index = new Database(join(directory, 'search', `${kbId}.sqlite`), { readonly: true });
  index.prepare('ATTACH ? AS live').run(join(directory, 'latchkey.sqlite'));
  const reader = new StoredIndexReader(new SqliteIndexStore(index, kbId), kbId, []);
  const { questions, relevant } = readCollection(collection);
  const score = async (/** @type {(text: string) => string} */ change) => {
    let sum = 0;
    for (const { id, text } of questions) {
      const query = {
        kbId,
        question: change(text).slice(0, MAX_LENGTH),
        scope: { principals: [] },
        limit: RESULTS,
      };
      const deadline = new SearchDeadline(60_000, () => false);
      const { passages } = await searchPassages(reader, query, deadline);
      const documents = new Set(passages.map(({ externalId }) => String(externalId)));
      sum += gain([...documents].slice(0, 10), relevant.get(id) ?? new Set());
    }
    return sum / questions.length;
  };
  // The first round warms up.
  await score((text) => text);
  const begin = process.cpuUsage();
  const clean = await score((text) => text);
  const { user, system } = process.cpuUsage(begin);
  const random = generator(collection.length);
  const corrupted = await score((text) => corrupt(text, random));
  results.push({ clean, corrupted, cpuMs: (user + system) / 1000 / questions.length });
  index.close();
}
if (stage && !isReplaced) throw new Error(`${stage.module} was not loaded`);
console.log(JSON.stringify(results));
