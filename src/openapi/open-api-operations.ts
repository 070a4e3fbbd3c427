import type { OpenAPIObject } from '@nestjs/swagger';

/** Every operation of a document. */
export const operationsOf = ({ paths }: OpenAPIObject) =>
  Object.values(paths).flatMap(({ get, post, put, patch, delete: remove }) =>
    [get, post, put, patch, remove].filter((operation) => operation !== undefined),
  );
