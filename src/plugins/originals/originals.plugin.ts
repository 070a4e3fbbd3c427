import type { Plugin } from '../../platform/plugins/plugin.js';
import { OriginalsModule } from './originals.module.js';

/** The originals of documents: downloads, links in answers, and pages with the passage marked. */
export const plugin: Plugin = { module: OriginalsModule };
