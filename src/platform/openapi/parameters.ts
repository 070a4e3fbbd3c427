import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations-of.js';

/** Lets a parameter that several operations take in the same words stand once, as a component. */
export function shareParameters(document: OpenAPIObject): void {
  const shared = ((document.components ??= {}).parameters ??= {});
  const uses = Map.groupBy(
    operationsOf(document).flatMap(({ operation }) => operation.parameters ?? []),
    (parameter) => JSON.stringify(parameter),
  );
  const repeated = [...uses].sort(([, a], [, b]) => b.length - a.length);
  const names = new Map<string, string>();
  for (const [text, [parameter, ...others]] of repeated) {
    if (!parameter || '$ref' in parameter || others.length === 0) continue;
    // Others of the name say something else of it: they stay where they are.
    if (parameter.name in shared) continue;
    shared[parameter.name] = parameter;
    names.set(text, parameter.name);
  }
  for (const { operation } of operationsOf(document)) {
    operation.parameters = operation.parameters?.map((parameter) => {
      const name = names.get(JSON.stringify(parameter));
      return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
    });
    if (operation.parameters === undefined) delete operation.parameters;
  }
}
