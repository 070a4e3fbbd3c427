import type { AccessRule } from '../../knowledge-bases/access-rules/access-set.entity.js';
import { comparedPrincipal } from '../../knowledge-bases/access-rules/principals.js';
import { EVERYONE } from '../../knowledge-bases/access-rules/readable-sql.js';

/**
 * Makes a rule that lets nobody read whom one of two rules does not. Where each of them names others, such as a
 * user and a group, only entries of both remain: whether the user is in the group is known when they ask.
 */
export function toNarrowerRule(one: AccessRule, other: AccessRule): AccessRule {
  return { allow: allowedByBoth(one.allow, other.allow), deny: [...one.deny, ...other.deny] };
}

function allowedByBoth(one: readonly string[], other: readonly string[]): string[] {
  if (one.includes(EVERYONE)) return [...other];
  if (other.includes(EVERYONE)) return [...one];
  const others = new Set(other.map(comparedPrincipal));
  return one.filter((entry) => others.has(comparedPrincipal(entry)));
}
