import "./meter.css";

interface Props {
  label: string;
  value: number;
  max: number;
  /** The value in words, such as "12 of 42". */
  valueText?: string;
}

function Bar({ value, max }: { value: number; max: number }) {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  return <span className="meter-fill" style={{ inlineSize: `${share * 100}%` }} />;
}

function Scale({ role, label, value, max, valueText }: Props & { role: "meter" | "progressbar" }) {
  return (
    <div
      className="meter"
      role={role}
      aria-label={label}
      aria-valuemin={0}
      aria-valuenow={value}
      aria-valuemax={max}
      aria-valuetext={valueText}
    >
      <Bar value={value} max={max} />
    </div>
  );
}

/** How much of a limit is used. */
export function Meter(props: Props) {
  return <Scale role="meter" {...props} />;
}

export function Progress(props: Props) {
  return <Scale role="progressbar" {...props} />;
}
