import { LocalModelError } from './local-model-error.js';

/** The way to combine the vectors of a text's tokens into one. */
export type Pooling = 'mean' | 'first' | 'last' | 'max';

const NAMES: readonly [flag: string, mode: string, pooling: Pooling][] = [
  ['pooling_mode_mean_tokens', 'mean', 'mean'],
  ['pooling_mode_cls_token', 'cls', 'first'],
  ['pooling_mode_lasttoken', 'lasttoken', 'last'],
  ['pooling_mode_max_tokens', 'max', 'max'],
];

/**
 * @param config of Sentence Transformers: flags, or in newer versions a name; if empty, the mean
 * @throws LocalModelError
 */
export function readPooling(config: Record<string, unknown>): Pooling {
  const flags = Object.keys(config).filter(
    (key) => key.startsWith('pooling_mode') && config[key] === true,
  );
  const mode = config['pooling_mode'];
  if (flags.length === 0 && mode === undefined) return 'mean';
  const found = NAMES.find(([flag, name]) =>
    flags.length > 0 ? flags[0] === flag : mode === name,
  );
  if (!found || flags.length > 1) throw new LocalModelError('its pooling is not supported');
  return found[2];
}

/** @param values the vectors of the tokens, one after the other */
export function pool(values: Float32Array, dimension: number, pooling: Pooling): Float32Array {
  const tokens = values.length / dimension;
  switch (pooling) {
    case 'first':
      return values.slice(0, dimension);
    case 'last':
      return values.slice(-dimension);
    case 'max':
    case 'mean': {
      const pooled = values.slice(0, dimension);
      for (let index = dimension; index < values.length; index++) {
        const at = index % dimension;
        const [sum = 0, value = 0] = [pooled[at], values[index]];
        pooled[at] = pooling === 'max' ? Math.max(sum, value) : sum + value;
      }
      return pooling === 'max' ? pooled : pooled.map((sum) => sum / tokens);
    }
  }
}
