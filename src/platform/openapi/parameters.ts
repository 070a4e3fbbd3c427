import type { OpenAPIObject } from '@nestjs/swagger';
import { listOperations } from './list-operations.js';

/** Moves parameters that several operations share into components. */
export function shareParameters(document: OpenAPIObject): void {
  const shared = ((document.components ??= {}).parameters ??= {});
  const parameters = listOperations(document).flatMap(
    ({ operation }) => operation.parameters ?? [],
  );
  for (const one of parameters) {
    // `false` is the default in OpenAPI.
    if ('required' in one && !one.required) delete one.required;
  }
  const uses = Map.groupBy(parameters, (parameter) => JSON.stringify(parameter));
  const repeated = [...uses].sort(([, a], [, b]) => b.length - a.length);
  const names = new Map<string, string>();
  for (const [text, [parameter, ...others]] of repeated) {
    if (!parameter || '$ref' in parameter || others.length === 0) continue;
    // A different parameter may have the same name.
    const name = [parameter.name, `${parameter.name}-in-${parameter.in}`].find(
      (one) => !(one in shared),
    );
    if (name === undefined) continue;
    shared[name] = parameter;
    names.set(text, name);
  }
  for (const { operation } of listOperations(document)) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
    if (operation.parameters === undefined) delete operation.parameters;
  }
}
