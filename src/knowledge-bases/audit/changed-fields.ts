/** The names of the fields that a request gives, for the `details` of its audit event. */
export const changedFields = (dto: object): string[] =>
  Object.entries(dto).flatMap(([name, value]) => (value === undefined ? [] : [name]));
