import type { components } from '@latchkey/client';
import { number } from './basics.js';
import { Input, Select, toNumber } from './field.js';

export type Budget = NonNullable<components['schemas']['BudgetDtoOrNull']>;

const UNITS = ['messages', 'tokens', 'cost'] as const;
const PERIODS = ['day', 'month'] as const;

/** The fields of a budget per day or month. */
export function BudgetFields(props: {
  legend: string;
  budget: Budget | null;
  hint: string;
  error: unknown;
}) {
  const { budget, error } = props;
  const unit = UNITS.find((each) => budget?.[each] !== undefined) ?? 'messages';
  const soft = budget?.soft ?? null;
  return (
    <fieldset>
      <legend>{props.legend}</legend>
      <div class="columns">
        <Input
          label="Limit"
          name="budget_amount"
          type="number"
          min={0}
          step="any"
          defaultValue={budget?.[unit] ?? ''}
          error={error}
          hint={props.hint}
        />
        <Select label="Unit" name="budget_unit" initial={unit}>
          {UNITS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
        <Select label="Period" name="budget_period" initial={budget?.period ?? 'month'}>
          {PERIODS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </Select>
        <Input
          label="Webhook at (percent)"
          name="budget_soft"
          type="number"
          min={0}
          max={100}
          step="any"
          defaultValue={soft === null ? '' : String(Math.round(soft * 10_000) / 100)}
          hint="And when all of it is used"
        />
      </div>
    </fieldset>
  );
}

/** Reads the budget from the fields; null for no limit. */
export function readBudget(fields: Record<string, string>): Budget | null {
  const amount = toNumber(fields['budget_amount']);
  if (amount === null) return null;
  const unit = UNITS.find((each) => each === fields['budget_unit']) ?? 'messages';
  const period = PERIODS.find((each) => each === fields['budget_period']) ?? 'month';
  const soft = toNumber(fields['budget_soft']);
  return { [unit]: amount, period, ...(soft !== null && { soft: soft / 100 }) };
}

/** A budget in words, such as “10,000 messages a month”. */
export function budgetWords(budget: Budget): string {
  const unit = UNITS.find((each) => budget[each] !== undefined) ?? 'messages';
  const amount = number(budget[unit] ?? 0);
  const what = unit === 'cost' ? `a cost of ${amount}` : `${amount} ${unit}`;
  return `${what} a ${budget.period}`;
}
