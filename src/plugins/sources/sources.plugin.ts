import type { Plugin } from '../../platform/plugins/plugin.js';
import { requireSeparateFolders } from './separate-folders.js';
import { checkSources } from './source-checks.js';
import { SourceRun } from './source-run.entity.js';
import { Source } from './source.entity.js';
import { SourcesModule } from './sources.module.js';

/** Documents that are kept in step with websites, folders, buckets, repositories and Confluence. */
export const plugin: Plugin = {
  module: SourcesModule,
  entities: [Source, SourceRun],
  requireConfig: requireSeparateFolders,
  doctorChecks: [checkSources],
};
