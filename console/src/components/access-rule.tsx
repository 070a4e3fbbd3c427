import type { AccessRule } from '../api.js';
import { splitLines } from '../access-words.js';
import { Input, TextArea } from './field.js';

/** The fields of an access rule. */
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

export const readRule = (fields: Record<string, string>) => ({
  allow: splitLines(fields['allow']),
  deny: splitLines(fields['deny']),
});

/** The fields for a person, which `toPrincipals` converts. */
export function PersonFields({ error }: { error?: unknown }) {
  return (
    <>
      <Input label="User id" name="user" maxLength={255} autocomplete="off" error={error} />
      <TextArea label="Groups" name="groups" rows={2} hint="One per line" />
    </>
  );
}
