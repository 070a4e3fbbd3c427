/** Of a property that is on unless it says otherwise. */
export const isOn = (value: string | undefined): boolean =>
  value === undefined || !['0', 'false', 'off'].includes(value);
