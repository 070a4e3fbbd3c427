import type { Plugin } from '../../platform/plugins/plugin.js';
import { OpenAiModule } from './openai.module.js';

/** Knowledge bases as models and vector stores of the OpenAI API. */
export const plugin: Plugin = {
  module: OpenAiModule,
  rootPaths: [
    'v1/chat/completions',
    'v1/models',
    'v1/models/:model',
    'v1/responses',
    'v1/vector_stores',
    'v1/vector_stores/:kb_id',
    'v1/vector_stores/:kb_id/search',
  ],
};
