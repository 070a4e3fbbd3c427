import type { Plugin } from '../../platform/plugins/plugin.js';
import { CuratedAnswer } from './curated-answer.entity.js';
import { CuratedAnswersModule } from './curated-answers.module.js';

/** Answers that somebody has written, given before the documents are searched. */
export const plugin: Plugin = { module: CuratedAnswersModule, entities: [CuratedAnswer] };
