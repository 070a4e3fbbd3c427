/**
 * SQL: whether the key whose id is in `column` belongs to the rotation line `:rotationRoot`, deleted keys
 * included.
 */
export const isOfRotationLine = (column: string) =>
  `EXISTS (SELECT 1 FROM api_keys k WHERE k.id = ${column} AND k.rotation_root = :rotationRoot)`;
