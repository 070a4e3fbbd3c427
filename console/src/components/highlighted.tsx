/** Marks the sentences that an answer quotes. */
export function Highlighted(props: { text: string; statements: readonly string[] }) {
  const { text } = props;
  const quoted = props.statements.map((each) => each.trim()).filter((each) => text.includes(each));
  const [first] = quoted.filter((each) => each !== '');
  if (first === undefined) return <>{text}</>;
  const start = text.indexOf(first);
  return (
    <>
      {text.slice(0, start)}
      <mark>{first}</mark>
      <Highlighted text={text.slice(start + first.length)} statements={quoted} />
    </>
  );
}
