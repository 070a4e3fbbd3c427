import type { Settings } from '../api.js';
import { Alert } from '../components/basics.js';
import { SaveBar } from '../components/save-bar.js';
import { findChanges, readFields } from '../components/field.js';
import { SettingField } from '../components/setting-field.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { useChange, useShared } from '../load.js';
import {
  isLong,
  SETTING_GROUPS,
  SETTING_NAMES,
  type SettingName,
  settingSchema,
  formatSetting,
  parseSetting,
  getType,
} from '../setting-schemas.js';
import { choiceWords, SETTING_HINTS } from '../setting-words.js';
import { useUnsaved } from '../unsaved.js';

export function SettingsForm(props: { settings: Settings; onSaved: () => void }) {
  const { settings } = props;
  const { kb } = useKnowledgeBase();
  const { guard, isDirty, sending } = useUnsaved();
  const { api, notify } = useShared();
  const { run, busy, error } = useChange(async (fields: Record<string, string>) => {
    const settle = sending();
    // Only changed fields are sent, because another tab may have changed the rest.
    const body = findChanges(readSettings(fields), settings);
    if (Object.keys(body).length > 0) {
      await api.patch('/api/v1/kbs/{kb_id}/settings', { path: { kb_id: kb.id }, body });
    }
    settle();
    notify('The settings are saved.');
    props.onSaved();
  });
  return (
    <form
      {...guard}
      onSubmit={(event) => {
        event.preventDefault();
        void run(readFields(event.currentTarget));
      }}
    >
      {SETTING_GROUPS.map((group) => (
        <Group key={group} group={group} settings={settings} error={error} />
      ))}
      <Alert error={error} />
      <SaveBar isDirty={isDirty}>
        <button class="primary" disabled={busy}>
          Save settings
        </button>
      </SaveBar>
    </form>
  );
}

function Group(props: { group: string; settings: Settings; error: unknown }) {
  const { group, settings, error } = props;
  const names = SETTING_NAMES.filter((name) => settingSchema(name)['x-group'] === group);
  const isCheck = (name: SettingName) => getType(name) === 'boolean';
  const fields = (list: SettingName[]) =>
    list.map((name) => (
      <SettingField key={name} name={name} value={settings[name]} error={error} />
    ));
  return (
    <section>
      <h2>{group}</h2>
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
    </section>
  );
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
export function SettingsFacts({ settings }: { settings: Settings }) {
  return (
    <>
      {SETTING_GROUPS.map((group) => (
        <section key={group}>
          <h2>{group}</h2>
          <dl class="facts">
            {SETTING_NAMES.filter((name) => settingSchema(name)['x-group'] === group).map(
              (name) => (
                <div key={name}>
                  <dt>{settingSchema(name).title}</dt>
                  <dd>
                    <Fact name={name} value={settings[name]} />
                  </dd>
                </div>
              ),
            )}
          </dl>
        </section>
      ))}
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
const readSettings = (fields: Record<string, string>): Partial<Settings> =>
  Object.fromEntries(
    SETTING_NAMES.map((name) => [
      name,
      fields[toNoneName(name)] === 'on' ? [] : parseSetting(name, fields[name]),
    ]),
  );
