import type { AccessRule } from '../api.js';
import { linesOf } from '../access-words.js';
import { Input, TextArea } from './field.js';

/** Who is allowed to read, and who is not. */
export function RuleFields({ rule, error }: { rule?: AccessRule | null; error: unknown }) {
  return (
    <>
      <TextArea
        label="Allow"
        name="allow"
        defaultValue={rule?.allow.join('\n') ?? ''}
        error={error}
        hint={
          <>
            One per line: <code>everyone</code>, <code>user:anna</code> or{' '}
            <code>group:support</code>. Nobody, if left empty
          </>
        }
      />
      <TextArea
        label="Deny"
        name="deny"
        rows={2}
        defaultValue={rule?.deny?.join('\n') ?? ''}
        error={error}
        hint="The same. It wins over Allow"
      />
    </>
  );
}

export const ruleOf = (fields: Record<string, string>) => ({
  allow: linesOf(fields['allow']),
  deny: linesOf(fields['deny']),
});

/** Of whom something is asked: see `principalsOf`. */
export function PersonFields({ error }: { error?: unknown }) {
  return (
    <>
      <Input label="User id" name="user" maxLength={255} autocomplete="off" error={error} />
      <TextArea label="Groups" name="groups" rows={2} hint="One per line" />
    </>
  );
}
