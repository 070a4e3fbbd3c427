/** When a key that is rotated stops: seconds, and how it is said. */
export const GRACES = [
  [0, 'at once'],
  [3600, 'in an hour'],
  [86_400, 'in a day'],
  [604_800, 'in a week'],
  [2_592_000, 'in 30 days'],
] as const;
