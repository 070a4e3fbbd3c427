import type { Plugin } from '../../platform/plugins/plugin.js';
import { DocumentVersionsModule } from './document-versions.module.js';

/** Former contents of documents: kept, shown, compared and restored. */
export const plugin: Plugin = { module: DocumentVersionsModule };
