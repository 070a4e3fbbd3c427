import type { Plugin } from '../../platform/plugins/plugin.js';
import { SuggestedQuestionsModule } from './suggested-questions.module.js';

/** Questions to begin with, which the documents answer. */
export const plugin: Plugin = { module: SuggestedQuestionsModule };
