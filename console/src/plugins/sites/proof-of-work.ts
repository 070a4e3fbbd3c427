import { number } from '../../components/basics.js';

/** Proof of work in bits, and in words. */
export const WORK = [
  [0, 'none'],
  [16, 'normal'],
  [18, 'strong'],
] as const;

export const workWords = (bits: number) =>
  WORK.find(([each]) => each === bits)?.[1] ?? `${number(bits)} bits`;
