/** Filters a list by the environment of the API key. */
export function EnvironmentFilter(props: {
  value: string | undefined;
  /** Undefined for both. */
  onChange: (environment: string | undefined) => void;
}) {
  return (
    <select
      aria-label="Environment"
      value={props.value ?? ''}
      onChange={(event) => {
        props.onChange(event.currentTarget.value || undefined);
      }}
    >
      <option value="">Any environment</option>
      <option value="live">live</option>
      <option value="test">test</option>
    </select>
  );
}
