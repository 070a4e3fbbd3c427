import { SourceError } from '../source-kind.js';

/** The limit is higher than any number of entries that is requested at once. */
const MAX_ENTRIES = 2000;

/** A value of an answer, whose shape is checked on access. */
export class JsonValue {
  constructor(private readonly value: unknown) {}

  get isMissing(): boolean {
    return this.value === undefined || this.value === null;
  }

  at(...names: string[]): JsonValue {
    let { value } = this;
    for (const name of names) {
      const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
      value = isObject ? (value as Record<string, unknown>)[name] : undefined;
    }
    return new JsonValue(value);
  }

  /** @throws SourceError `incomplete_listing` if it is not a text or number */
  text(): string {
    if (typeof this.value === 'string') return this.value;
    if (typeof this.value === 'number') return String(this.value);
    throw unexpected();
  }

  optionalText(): string | undefined {
    return this.isMissing ? undefined : this.text();
  }

  /** @throws SourceError `incomplete_listing` if it is not a list, or too long */
  list(): JsonValue[] {
    if (!Array.isArray(this.value) || this.value.length > MAX_ENTRIES) throw unexpected();
    return this.value.map((one) => new JsonValue(one));
  }
}

const unexpected = () =>
  new SourceError('incomplete_listing', 'Confluence sent an answer of an unexpected form.');
