import "./skeleton.css";

interface Props {
  /** What is being loaded, for screen readers. */
  label: string;
  /** The placeholder's lines, as percentages of the width. */
  lines?: readonly number[];
  height?: number;
}

/** A loading placeholder; hidden for the first 150 ms to avoid flicker. */
export function Skeleton({ label, lines = [100, 92, 64], height = 14 }: Props) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {lines.map((share, at) => (
        <span
          // Lines are identified only by their position.
          key={at}
          className="skeleton-line"
          style={{ inlineSize: `${share}%`, blockSize: `${height}px` }}
        />
      ))}
    </div>
  );
}
