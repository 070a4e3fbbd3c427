import type { Plugin } from '../../platform/plugins/plugin.js';
import { KeyHoldersModule } from './key-holders.module.js';

/** What the holder of a key does with the key alone: rotates it, ends it. */
export const plugin: Plugin = { module: KeyHoldersModule };
