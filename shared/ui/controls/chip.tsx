import type { ReactNode } from "react";
import "./chip.css";

interface Props {
  children: ReactNode;
  icon?: ReactNode;
  /** `lit` is only for due items. */
  tone?: "plain" | "lit" | "good" | "bad";
}

export function Chip({ children, icon, tone = "plain" }: Props) {
  return (
    <span className={`chip chip-${tone}`}>
      {icon}
      {children}
    </span>
  );
}
