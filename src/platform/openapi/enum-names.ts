import type { OpenAPIObject } from '@nestjs/swagger';

/** The extension by which generators name the constants of an enum. */
const NAMES_EXTENSION = 'x-enum-varnames';

/**
 * Names the constants of enums where generators would choose bad names. Generators for Go put the
 * values of all named enums into one package, named by the value alone: an enum that clashes with an
 * earlier one gets its own name as a prefix. Values consisting of symbols are named by code point.
 */
export function nameEnumValues({ components }: OpenAPIObject): void {
  const taken = new Set<string>();
  for (const [component, schema] of Object.entries(components?.schemas ?? {})) {
    for (const part of findEnums(schema)) {
      const names = part.enum.map((value) => toConstant(String(value)));
      const isNamed = part === schema;
      if (isNamed && names.some((name) => taken.has(name))) {
        const prefix = toConstant(component.replace(/(?<=[a-z])(?=[A-Z])/g, '_'));
        part[NAMES_EXTENSION] = names.map((name) => `${prefix}_${name}`);
      } else if (part.enum.some((value) => isOfSigns(String(value)))) {
        part[NAMES_EXTENSION] = names;
      }
      if (isNamed) for (const name of names) taken.add(name);
    }
  }
}

interface EnumSchema {
  enum: readonly unknown[];
  [NAMES_EXTENSION]?: string[];
}

function findEnums(node: unknown): EnumSchema[] {
  if (typeof node !== 'object' || node === null) return [];
  const own = 'enum' in node && Array.isArray(node.enum) ? [node as EnumSchema] : [];
  return [...own, ...Object.values(node).flatMap(findEnums)];
}

const isOfSigns = (value: string) => value !== '' && !/[\p{L}\p{N}]/u.test(value);

const toConstant = (value: string) =>
  isOfSigns(value)
    ? [...value].map((sign) => `U${sign.codePointAt(0)?.toString(16) ?? ''}`).join('_')
    : value.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
