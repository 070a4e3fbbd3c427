import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import type { Settings } from '../api.js';
import { BudgetFields, readBudget } from '../components/budget-fields.js';
import { useSearchParams } from '../search-params.js';
import { Alert } from '../components/basics.js';
import { SaveBar } from '../components/save-bar.js';
import { findChanges, readFields } from '../components/field.js';
import { SettingField } from '../components/setting-field.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { useChange, useShared } from '../load.js';
import {
  isLong,
  listSettings,
  type SettingGroup,
  type SettingName,
  settingSchema,
  formatSetting,
  parseSetting,
  getType,
} from '../setting-schemas.js';
import { choiceWords, defaultWords, SETTING_HINTS } from '../setting-words.js';
import { useUnsaved } from '../unsaved.js';

/** The fields of one group, saved together. */
export function SettingsForm(props: {
  group: SettingGroup;
  settings: Settings;
  onSaved: () => void;
}) {
  const { group, settings } = props;
  const { kb } = useKnowledgeBase();
  const { guard, isDirty, sending } = useUnsaved();
  const { api, notify } = useShared();
  const names = listSettings(group);
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const settle = sending();
    const next = {
      ...readSettings(names, fields),
      ...(group === 'Limits' && { budget_per_end_user: readBudget(fields) }),
    };
    // Only changed fields are sent, because another tab may have changed the rest.
    const body = findChanges(next, settings);
    if (Object.keys(body).length > 0) {
      await api.patch('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: kb.id }, body });
    }
    settle();
    notify('The settings are saved.');
    props.onSaved();
  });
  useAskedField(guard.ref);
  const isCheck = (name: SettingName) => getType(name) === 'boolean';
  const fields = (list: SettingName[]) =>
    list.map((name) => (
      <SettingField
        key={name}
        name={name}
        value={settings[name]}
        placeholder={defaultWords(name)}
        error={error}
      />
    ));
  return (
    <form
      {...guard}
      onSubmit={(event) => {
        event.preventDefault();
        void run(readFields(event.currentTarget));
      }}
    >
      <h2 class="unseen">{group}</h2>
      <div class="columns">{fields(names.filter((name) => !isLong(name) && !isCheck(name)))}</div>
      {fields(names.filter(isLong))}
      {names.filter(isCheck).map((name) => (
        <Check key={name} name={name} isOn={settings[name] === true} hint={SETTING_HINTS[name]}>
          {settingSchema(name).title}
        </Check>
      ))}
      {names.filter(isList).map((name) => (
        <Check key={name} name={toNoneName(name)} isOn={isEmptyList(settings[name])}>
          {`${settingSchema(name).title}: none at all`}
        </Check>
      ))}
      {group === 'Limits' && (
        <BudgetFields
          legend="Budget of each end user"
          budget={settings.budget_per_end_user}
          error={error}
          hint="Any amount, if left empty"
        />
      )}
      <Alert error={error} />
      <SaveBar isDirty={isDirty}>
        <button class="primary" disabled={busy}>
          Save
        </button>
      </SaveBar>
    </form>
  );
}

/** Puts the focus into the field that a link asks for. */
function useAskedField(form: RefObject<HTMLFormElement>) {
  const [{ field }] = useSearchParams(['field']);
  useLayoutEffect(() => {
    const found = field === undefined ? null : form.current?.elements.namedItem(field);
    if (!(found instanceof HTMLElement)) return;
    found.focus();
    found.scrollIntoView({ block: 'center' });
  }, [field]);
}

function Check(props: {
  name: string;
  isOn: boolean;
  hint?: string | undefined;
  children: string;
}) {
  const { name, isOn, hint, children } = props;
  return (
    <label class="check">
      <input type="checkbox" name={name} defaultChecked={isOn} />
      <span>
        {children}
        {hint !== undefined && <small class="quiet">{hint}</small>}
      </span>
    </label>
  );
}

/** The settings for users who may only read them. */
export function SettingsFacts({ group, settings }: { group: SettingGroup; settings: Settings }) {
  return (
    <>
      <h2 class="unseen">{group}</h2>
      <dl class="facts">
        {listSettings(group).map((name) => (
          <div key={name}>
            <dt>{settingSchema(name).title}</dt>
            <dd>
              <Fact name={name} value={settings[name]} />
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Fact({ name, value }: { name: SettingName; value: Settings[SettingName] }) {
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (isEmptyList(value)) return <>none</>;
  const text = formatSetting(value);
  return text === '' ? (
    <span class="quiet">not set</span>
  ) : (
    <span class="passage" dir="auto">
      {choiceWords(name, text)}
    </span>
  );
}

const isList = (name: SettingName) => getType(name) === 'array';
const isEmptyList = (value: Settings[SettingName]) => Array.isArray(value) && value.length === 0;
/** The name of the check box for an empty list; an empty field is null, which means any. */
const toNoneName = (name: SettingName) => `none of ${name}`;

/** Reads the settings from the form. */
const readSettings = (
  names: readonly SettingName[],
  fields: Record<string, string>,
): Partial<Settings> =>
  Object.fromEntries(
    names.map((name) => [
      name,
      fields[toNoneName(name)] === 'on' ? [] : parseSetting(name, fields[name]),
    ]),
  );
