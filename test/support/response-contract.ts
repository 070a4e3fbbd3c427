import { Ajv, type ValidateFunction } from 'ajv';
import addFormatsModule from 'ajv-formats';
import type { OpenApiDocument, OperationObject, Schema } from './operations.js';
import { listsProblem, resolve, responseOf, typeOf } from './operations.js';

// A CommonJS module whose types say otherwise.
const addFormats = addFormatsModule as unknown as (ajv: Ajv) => void;

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Compares answers with what the OpenAPI document says of their status, fields that it does not
 * name being wrong. */
export class ResponseContract {
  private readonly ajv = new Ajv({ strict: false, allErrors: true });
  private readonly validators = new Map<Schema, ValidateFunction>();

  constructor(private readonly document: OpenApiDocument) {
    addFormats(this.ajv);
  }

  /** What is wrong with an answer; undefined when nothing is. */
  violation(operation: OperationObject, answer: RawAnswer): string | undefined {
    const documented = responseOf(this.document, operation, String(answer.status));
    if (!documented) return `The status ${answer.status} is not documented: ${answer.text}`;
    const type = answer.contentType.split(';', 1)[0]?.trim() ?? '';
    const schema = (documented.content?.[type] ?? documented.content?.['*/*'])?.schema;
    if (!documented.content) return answer.text === '' ? undefined : `Not empty: ${answer.text}`;
    if (!schema) return `The content type ${type} is not documented for ${answer.status}`;
    const body: unknown = type.endsWith('json') ? JSON.parse(answer.text) : answer.text;
    const { code } = (type === 'application/problem+json' ? body : {}) as { code?: string };
    if (code !== undefined && !listsProblem(this.document, operation, answer.status, code)) {
      return `The code ${code} is not documented for ${answer.status}`;
    }
    return this.mismatch(schema, body);
  }

  /** What of a value a schema does not allow; undefined when it allows all of it. */
  mismatch(schema: Schema, value: unknown): string | undefined {
    const validate = this.validators.get(schema) ?? this.ajv.compile(this.closed(schema));
    this.validators.set(schema, validate);
    if (validate(value)) return undefined;
    return `${this.ajv.errorsText(validate.errors)}: ${JSON.stringify(value)}`;
  }

  /** The schema, but without fields that it does not name. */
  private closed(schema: Schema, within: readonly string[] = []): object {
    // A filter may hold filters: within itself a schema allows anything.
    if (schema.$ref !== undefined && within.includes(schema.$ref)) return {};
    const path = schema.$ref === undefined ? within : [...within, schema.$ref];
    const { $ref, allOf, anyOf, oneOf, properties, additionalProperties, items, ...rest } = resolve(
      this.document,
      schema,
    );
    const [only, ...others] = allOf ?? [];
    if (only && others.length === 0) return this.closed(only, path);
    if (allOf) return this.closed(this.merged(allOf), path);
    const alternatives = anyOf ?? oneOf;
    if (alternatives) {
      // Not oneOf: what allows anything meets beside any other.
      return { anyOf: alternatives.map((one) => this.closed(one, path)) };
    }
    return {
      ...rest,
      ...(items && { items: this.closed(items, path) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, field]) => [name, this.closed(field, path)]),
        ),
      }),
      ...(typeOf(rest) === 'object' && {
        additionalProperties:
          typeof additionalProperties === 'object'
            ? this.closed(additionalProperties, path)
            : additionalProperties === true,
      }),
    };
  }

  /** One object schema instead of several; of a field that two of them name, the later one. */
  private merged(parts: Schema[]): Schema {
    const schemas = parts.map((part) => resolve(this.document, part));
    return {
      type: 'object',
      required: schemas.flatMap(({ required = [] }) => required),
      properties: Object.assign({}, ...schemas.map(({ properties }) => properties)) as Record<
        string,
        Schema
      >,
    };
  }
}
