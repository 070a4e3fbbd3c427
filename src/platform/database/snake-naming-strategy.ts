import { DefaultNamingStrategy } from 'typeorm';

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `lastUsedAt` in an entity is `last_used_at` in the database. */
export class SnakeNamingStrategy extends DefaultNamingStrategy {
  override columnName(property: string, custom: string, prefixes: string[]): string {
    return [...prefixes, custom || snakeCase(property)].join('_');
  }

  override joinColumnName(relation: string, referenced: string): string {
    return snakeCase(`${relation}_${referenced}`);
  }
}
