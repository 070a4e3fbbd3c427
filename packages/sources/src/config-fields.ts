import { type FieldProblem, InvalidSource } from './source-kind.js';

const MAX_LENGTH = 2000;

/**
 * Reads the fields of a configuration or of credentials. It collects all problems, which `finish` throws;
 * unknown fields are refused.
 */
export class ConfigFields {
  private readonly given: Record<string, unknown>;
  private readonly read = new Set<string>();

  /** @param name `config` or `credentials` */
  constructor(
    private readonly name: string,
    value: unknown,
    private readonly problems: FieldProblem[] = [],
  ) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject && value !== undefined) this.refuse('', 'must be an object');
    this.given = isObject ? { ...value } : {};
  }

  text(field: string): string {
    const value = this.optionalText(field);
    if (value === undefined && !this.isRefused(field)) this.refuse(field, 'must be a text');
    return value ?? '';
  }

  optionalText(field: string): string | undefined {
    const value = this.take(field);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'string' && isText(value)) return value;
    this.refuse(field, `must be a text of 1 to ${MAX_LENGTH} characters`);
    return undefined;
  }

  optionalInteger(field: string, min: number, max: number): number | undefined {
    const value = this.take(field);
    if (value === undefined || value === null) return undefined;
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) {
      return Number(value);
    }
    this.refuse(field, `must be an integer from ${min} to ${max}`);
    return undefined;
  }

  /** A list of texts; empty if it is left out. */
  texts(field: string, max = 100): string[] {
    const value = this.take(field);
    if (value === undefined || value === null) return [];
    const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
    if (Array.isArray(value) && texts.length === value.length && value.length <= max) {
      if (texts.every(isText)) return texts;
    }
    this.refuse(field, `must be a list of at most ${max} texts`);
    return [];
  }

  optionalObject(field: string): object | undefined {
    const value = this.take(field);
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'object' && !Array.isArray(value)) return value;
    this.refuse(field, 'must be an object');
    return undefined;
  }

  refuse(field: string, message: string): void {
    const path = field === '' ? this.name : `${this.name}.${field}`;
    this.problems.push({ field: path, message: `${path} ${message}` });
  }

  /** @throws InvalidSource */
  finish(): void {
    for (const field of Object.keys(this.given)) {
      if (!this.read.has(field)) this.refuse(field.slice(0, 100), 'is unknown');
    }
    if (this.problems.length > 0) throw new InvalidSource(this.problems);
  }

  private take(field: string): unknown {
    this.read.add(field);
    return Object.hasOwn(this.given, field) ? this.given[field] : undefined;
  }

  private isRefused(field: string): boolean {
    return this.problems.some((problem) => problem.field === `${this.name}.${field}`);
  }
}

const isText = (value: string) =>
  value.trim() !== '' && value.length <= MAX_LENGTH && !value.includes('\0');
