import { SourceError } from '../source-kind.js';

/** More entries than are asked for at once. */
const MAX_ENTRIES = 2000;

/** A value of an answer, of which no shape is taken for granted. */
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

  /** @throws SourceError `incomplete_listing` when it is no text or number */
  text(): string {
    if (typeof this.value === 'string') return this.value;
    if (typeof this.value === 'number') return String(this.value);
    throw unexpected();
  }

  optionalText(): string | undefined {
    return this.isMissing ? undefined : this.text();
  }

  /** @throws SourceError `incomplete_listing` when it is no list, or a longer one than was asked for */
  list(): JsonValue[] {
    if (!Array.isArray(this.value) || this.value.length > MAX_ENTRIES) throw unexpected();
    return this.value.map((one) => new JsonValue(one));
  }
}

const unexpected = () =>
  new SourceError('incomplete_listing', 'Confluence sent an answer of an unexpected form.');
