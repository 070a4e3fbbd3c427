import { invalidField } from '../../platform/problems/problem.js';
import { filterProblem } from '../../knowledge-bases/metadata-filter/filter-problem.js';
import type { MetadataFilter } from '@latchkey/ranking/metadata-filter';
import { DIFY_OPERATORS, toFilterType } from './dify-operators.js';
import type { MetadataConditionDto, MetadataConditionsDto } from './dify.dto.js';

/**
 * @returns undefined without a condition
 * @throws Problem `validation_failed` for a condition that filters of `/query` do not support
 */
export function toFilter(
  given: MetadataConditionsDto | null | undefined,
): MetadataFilter | undefined {
  const { logical_operator, conditions } = given ?? {};
  if (!conditions?.length) return undefined;
  const filter = { type: logical_operator ?? 'and', filters: conditions.map(toCondition) };
  const problem = filterProblem(filter);
  if (problem !== undefined) throw invalidField('metadata_condition', problem);
  return filter as MetadataFilter;
}

function toCondition({ name, comparison_operator, value }: MetadataConditionDto) {
  const type = toFilterType(comparison_operator);
  if (type === undefined) {
    throw invalidField(
      'metadata_condition',
      `comparison_operator must be one of ${DIFY_OPERATORS.join(', ')}`,
    );
  }
  const each = [name].flat().map((key) => ({ type, key, value: toFilterValue(type, value) }));
  return each.length === 1 ? each[0] : { type: 'or', filters: each };
}

/** Dify sends a list as one text, separated by commas. */
function toFilterValue(type: string, value: unknown): unknown {
  if (type !== 'in' && type !== 'nin') return value;
  return typeof value === 'string' ? value.split(',').map((each) => each.trim()) : value;
}
