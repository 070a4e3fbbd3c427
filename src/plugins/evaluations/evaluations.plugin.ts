import type { Plugin } from '../../platform/plugins/plugin.js';
import { EvaluationQuestion } from './evaluation-question.entity.js';
import { Evaluation } from './evaluation.entity.js';
import { EvaluationsModule } from './evaluations.module.js';

/** Measures settings of a knowledge base by questions whose answers are known. */
export const plugin: Plugin = {
  module: EvaluationsModule,
  entities: [Evaluation, EvaluationQuestion],
};
