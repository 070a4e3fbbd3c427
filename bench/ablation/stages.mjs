/**
 * The stages of packages/ranking that can be left out: an export of a built module, and what stands in
 * its place. Modules that only a stage uses count as its lines.
 *
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} module
 * @property {string} replaced the name of the export
 * @property {string} by
 * @property {string[]} files whose lines the stage is made of
 */

/** @type {Stage[]} */
export const STAGES = [
  {
    name: 'pairs of adjacent words',
    module: 'ranking/dist/rank.js',
    replaced: 'rerank',
    by: 'async (hits) => [...hits]',
    files: ['word-pairs.ts'],
  },
  {
    name: 'words near each other',
    module: 'ranking/dist/nearness.js',
    replaced: 'Nearness',
    by: 'class { weigh() { return 0; } }',
    files: ['nearness.ts'],
  },
  {
    name: 'feedback',
    module: 'ranking/dist/feedback.js',
    replaced: 'computeFeedback',
    by: '() => []',
    files: ['feedback.ts'],
  },
  {
    name: 'spelling',
    module: 'ranking/dist/spelling.js',
    replaced: 'correctSpelling',
    by: 'async () => new Map()',
    files: ['spelling.ts'],
  },
  {
    name: 'compounds',
    module: 'ranking/dist/compounds.js',
    replaced: 'splitCompounds',
    by: 'async () => new Map()',
    files: ['compounds.ts'],
  },
  {
    name: 'identifiers',
    module: 'ranking/dist/identifiers.js',
    replaced: 'findIdentifiers',
    by: '() => []',
    files: ['identifiers.ts'],
  },
  {
    name: 'near duplicates',
    module: 'ranking/dist/near-duplicate-filter.js',
    replaced: 'NearDuplicateFilter',
    by: 'class { choose(hits, limit) { return hits.slice(0, limit); } }',
    files: ['near-duplicate-filter.ts'],
  },
  {
    name: 'common terms scored last',
    module: 'ranking/dist/term-selection.js',
    replaced: 'splitTerms',
    by: '(terms) => ({ scanned: terms, common: [] })',
    files: ['term-selection.ts'],
  },
  {
    name: 'rare stop words count',
    module: 'ranking/dist/bounds.js',
    replaced: 'STOP_WORD_SHARE',
    by: '0',
    files: [],
  },
  {
    name: 'words of asking left out',
    module: 'text/dist/language/without-question-words.js',
    replaced: 'withoutQuestionWords',
    by: '(text) => text',
    files: [],
  },
];
