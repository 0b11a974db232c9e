import "./skeleton.css";

interface Props {
  /** What is being loaded, for those who cannot see the shape of it. */
  label: string;
  /** The lines of what comes, each as a share of the width. */
  lines?: readonly number[];
  height?: number;
}

/** The shape of what comes; nothing shows in the first 150 ms, so that what is quick does not flicker. */
export function Skeleton({ label, lines = [100, 92, 64], height = 14 }: Props) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {lines.map((share, at) => (
        <span
          // Lines have no other identity than their place.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          className="skeleton-line"
          style={{ inlineSize: `${share}%`, blockSize: `${height}px` }}
        />
      ))}
    </div>
  );
}
