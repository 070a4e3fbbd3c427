import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsNumber, IsOptional, Max, Min, ValidateBy } from 'class-validator';
import { IsNested, IsNumberWithin, IsOptionalNotNull } from '../../platform/http/fields.js';
import { COUNT_SCHEMA } from '../../platform/openapi/api-fields.js';
import { type Budget, BUDGET_PERIODS, BUDGET_UNITS, type BudgetPeriod } from './budget.js';

const MAX_COUNT = 1_000_000_000_000;
const MAX_COST = 1_000_000;

const IsCount = () =>
  applyDecorators(
    IsInt(),
    Min(0),
    Max(MAX_COUNT),
    ApiProperty({ ...COUNT_SCHEMA, maximum: MAX_COUNT }),
  );

/** A budget has exactly one of `messages`, `tokens` and `cost`. */
export class BudgetDto implements Budget {
  /** Answered `/chat` requests. */
  @IsOptionalNotNull() @IsCount() messages?: number;

  /** The tokens of questions and answers together. */
  @IsOptionalNotNull() @IsCount() tokens?: number;

  /** The cost in the currency of the operator’s `LLM_PRICES`. */
  @IsOptionalNotNull()
  @IsNumber()
  @Min(0)
  @Max(MAX_COST)
  @ApiProperty({ minimum: 0, maximum: MAX_COST })
  cost?: number;

  /** Days and months in UTC. */
  @IsIn(BUDGET_PERIODS) period: BudgetPeriod;

  /** The share at which `api_key.budget_reached` occurs, besides the whole. */
  @IsOptional() @IsNumberWithin(0, 1) soft?: number | null;
}

/** Documents a property that is a budget, or null. */
export const ApiBudget = () => ApiProperty({ type: BudgetDto });

/** Validates and documents a budget with one unit. */
export const IsBudget = () =>
  applyDecorators(
    ApiBudget(),
    IsNested(() => BudgetDto),
    ValidateBy({
      name: 'isOfOneUnit',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'object' &&
          value !== null &&
          BUDGET_UNITS.filter((unit) => (value as Budget)[unit] !== undefined).length === 1,
        defaultMessage: () => `$property must have exactly one of ${BUDGET_UNITS.join(', ')}`,
      },
    }),
  );
