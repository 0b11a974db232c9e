interface Props {
  facts: readonly (readonly [name: string, value: string])[];
}

/** Names with their values, side by side. */
export function FactList({ facts }: Props) {
  return (
    <dl className="admin-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
