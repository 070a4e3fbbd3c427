import type { Settings } from '../api.js';
import { Alert } from '../components/basics.js';
import { SaveBar } from '../components/save-bar.js';
import { changesOf, fieldsOf } from '../components/field.js';
import { SettingField } from '../components/setting-field.js';
import { useKnowledgeBase } from '../current-knowledge-base.js';
import { useChange, useShared } from '../load.js';
import {
  isLong,
  SETTING_GROUPS,
  SETTING_NAMES,
  type SettingName,
  settingSchema,
  shownSetting,
  typedSetting,
  typeOf,
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
    // Only what was changed here: another tab may have changed the rest.
    const body = changesOf(typed(fields), settings);
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
        void run(fieldsOf(event.currentTarget));
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
  const isCheck = (name: SettingName) => typeOf(name) === 'boolean';
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
        <Check key={name} name={nameOfNone(name)} isOn={isEmptyList(settings[name])}>
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

/** The same for those who only read them. */
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
  const text = shownSetting(value);
  return text === '' ? (
    <span class="quiet">not set</span>
  ) : (
    <span class="passage" dir="auto">
      {choiceWords(name, text)}
    </span>
  );
}

const isList = (name: SettingName) => typeOf(name) === 'array';
const isEmptyList = (value: Settings[SettingName]) => Array.isArray(value) && value.length === 0;
/** An empty field is null, which for a list means any. */
const nameOfNone = (name: SettingName) => `none of ${name}`;

/** What the form says. */
const typed = (fields: Record<string, string>): Partial<Settings> =>
  Object.fromEntries(
    SETTING_NAMES.map((name) => [
      name,
      fields[nameOfNone(name)] === 'on' ? [] : typedSetting(name, fields[name]),
    ]),
  );
