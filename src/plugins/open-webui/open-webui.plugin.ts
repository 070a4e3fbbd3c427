import type { Plugin } from '../../platform/plugins/plugin.js';
import { OpenWebUiModule } from './open-webui.module.js';
import { RefusedFile } from './refused-file.entity.js';

const KNOWLEDGE = 'open-webui/api/v1/knowledge/:kb_id';

/** The part of Open WebUI's API with which oikb keeps a knowledge base in step. */
export const plugin: Plugin = {
  module: OpenWebUiModule,
  needs: ['sources'],
  entities: [RefusedFile],
  rootPaths: [
    'open-webui/api/v1/files',
    KNOWLEDGE,
    ...['files', 'sync/diff', 'sync/cleanup', 'dirs/create', 'reset'].map(
      (path) => `${KNOWLEDGE}/${path}`,
    ),
  ],
};
