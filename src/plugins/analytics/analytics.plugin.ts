import type { Plugin } from '../../platform/plugins/plugin.js';
import { AnalyticsModule } from './analytics.module.js';

/** Reports of usage, quality and costs. */
export const plugin: Plugin = { module: AnalyticsModule };
