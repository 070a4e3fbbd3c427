export { default } from './src/operations/migration-data-source.js';
