import type { Plugin } from '../../platform/plugins/plugin.js';
import { DifyModule } from './dify.module.js';

/** Knowledge bases as external knowledge of Dify. */
export const plugin: Plugin = { module: DifyModule, rootPaths: ['dify/retrieval'] };
