/** Shows what is of live keys or of test keys, or of both. */
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
