export { default } from './src/migration-data-source.js';
