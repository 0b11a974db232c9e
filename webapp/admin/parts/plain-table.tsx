interface Props {
  label: string;
  head: readonly string[];
  /** The first cells name the row together. */
  rows: readonly (readonly string[])[];
}

/** A short table of figures. */
export function PlainTable({ label, head, rows }: Props) {
  return (
    <div className="admin-table-frame" role="group" tabIndex={0} aria-label={label}>
      <table className="admin-table admin-numbers">
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name = "", ...values]) => (
            <tr key={[name, ...values].join(" ")}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={head[index + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
