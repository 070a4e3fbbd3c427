import type { OpenAPIObject } from '@nestjs/swagger';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> &
  Record<`x-${string}`, unknown>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Lists all operations of a document with their methods. */
export const listOperations = ({ paths }: OpenAPIObject) =>
  Object.values(paths).flatMap((path) =>
    METHODS.flatMap((method) => {
      const operation = path[method] as Operation | undefined;
      return operation ? [{ method, operation }] : [];
    }),
  );
