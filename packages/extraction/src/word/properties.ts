/** Whether a property is on, which is the default if it has no value. */
export const isOn = (value: string | undefined): boolean =>
  value === undefined || !['0', 'false', 'off'].includes(value);
