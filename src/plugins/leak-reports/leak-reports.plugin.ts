import type { Plugin } from '../../platform/plugins/plugin.js';
import { LeakReportsModule } from './leak-reports.module.js';

/** Revokes API keys that somebody has found and reports, in our form or in GitHub's. */
export const plugin: Plugin = { module: LeakReportsModule };
