/** The names of the fields in a request, for the `details` of its audit event. */
export const changedFields = (dto: object): string[] =>
  Object.entries(dto).flatMap(([name, value]) => (value === undefined ? [] : [name]));
