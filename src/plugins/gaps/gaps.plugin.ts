import type { Plugin } from '../../platform/plugins/plugin.js';
import { GapsModule } from './gaps.module.js';

/** Lists the questions that the documents do not answer. */
export const plugin: Plugin = { module: GapsModule, needs: ['analytics', 'curated-answers'] };
