/** How often the model may search again before it answers. */
const ROUNDS = { low: 0, medium: 3, high: 6 } as const;

export type Effort = keyof typeof ROUNDS;

export const EFFORTS = Object.keys(ROUNDS);

export const countRounds = (effort: Effort = 'low'): number => ROUNDS[effort];
