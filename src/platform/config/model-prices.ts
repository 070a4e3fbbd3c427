import { readFileSync } from 'node:fs';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { parseJson } from '@latchkey/text/parse-json';

/** The price of a million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
}

/** Prices by the model's name. */
export class ModelPrices extends Map<string, ModelPrice> {
  override toString(): string {
    return JSON.stringify(Object.fromEntries(this));
  }
}

const MAX_PRICE = 10_000;

/** Accepts a list of prices, as JSON or as the path of a JSON file. */
export const IsModelPrices = (): PropertyDecorator => (target, property) => {
  ValidateBy({
    name: 'isModelPrices',
    validator: {
      validate: (value: unknown) => value instanceof ModelPrices,
      defaultMessage: () =>
        `$property must be JSON such as {"gpt-5": {"input": 1.25, "output": 10}}, with prices of 0 to ${MAX_PRICE} for a million tokens, or the path of a file with it`,
    },
  })(target, property);
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (parsePrices(value) ?? value) : value,
  )(target, property);
};

/** @returns undefined if it is not a list of prices */
export function parsePrices(value: string): ModelPrices | undefined {
  let prices: unknown;
  try {
    prices = parseJson(value.trimStart().startsWith('{') ? value : readFileSync(value, 'utf8'));
  } catch {
    return undefined;
  }
  if (typeof prices !== 'object' || prices === null || Array.isArray(prices)) return undefined;
  const entries = Object.entries(prices);
  return entries.every((entry): entry is [string, ModelPrice] => isPrice(entry[1]))
    ? new ModelPrices(entries)
    : undefined;
}

function isPrice(value: unknown): value is ModelPrice {
  if (typeof value !== 'object' || value === null) return false;
  const { input, output, ...others } = value as Record<string, unknown>;
  return [input, output].every(isAmount) && Object.keys(others).length === 0;
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && value >= 0 && value <= MAX_PRICE;
