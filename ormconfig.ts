export { default } from './src/database/migration-data-source.js';
