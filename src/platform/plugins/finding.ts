import type { Config } from '../config/config.js';
import type { Entities } from '../database/data-source-options.js';

export interface Finding {
  readonly verdict: 'ok' | 'warning' | 'problem';
  readonly text: string;
}

/** Checks one part of a deployment without changing anything. */
export type Check = (config: Config, entities: Entities) => Finding[] | Promise<Finding[]>;

export const ok = (text: string): Finding => ({ verdict: 'ok', text });
export const warning = (text: string): Finding => ({ verdict: 'warning', text });
export const problem = (text: string): Finding => ({ verdict: 'problem', text });
