import { formatShare } from "#shared/messages/language.ts";
import { formatNumber } from "#shared/messages/translate.ts";

interface Props {
  /** What the counts are shares of. */
  whole: number;
  rows: readonly { name: string; count: number }[];
}

/** Counts with their names, as bars and as shares of a whole. */
export function ShareList({ whole, rows }: Props) {
  return (
    <ul role="list" className="admin-funnel">
      {rows.map(({ name, count }) => (
        <li key={name}>
          <span>{name}</span>
          <span className="admin-bar" aria-hidden>
            <span style={{ inlineSize: `${(count / whole) * 100}%` }} />
          </span>
          <strong>{formatNumber(count)}</strong>
          <span className="admin-quiet">{formatShare(count / whole)}</span>
        </li>
      ))}
    </ul>
  );
}
