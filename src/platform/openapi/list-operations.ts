import type { OpenAPIObject } from '@nestjs/swagger';

export type Operation = NonNullable<OpenAPIObject['paths'][string]['get']> &
  Record<`x-${string}`, unknown>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Every operation of a document, with its method. */
export const listOperations = ({ paths }: OpenAPIObject) =>
  Object.values(paths).flatMap((path) =>
    METHODS.flatMap((method) => {
      const operation = path[method] as Operation | undefined;
      return operation ? [{ method, operation }] : [];
    }),
  );
