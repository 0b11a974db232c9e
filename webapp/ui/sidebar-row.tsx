import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface Props {
  to: string;
  label: string;
  icon: ReactNode;
  note?: string | undefined;
  /** One small button at the end of the row. */
  action?: ReactNode;
}

export function SidebarRow({ to, label, icon, note, action }: Props) {
  return (
    <li className={action === undefined ? undefined : "sidebar-acting"}>
      <Link className="sidebar-row" to={to} title={label} activeOptions={{ exact: true }}>
        {icon}
        <span className="sidebar-label">{label}</span>
        {note !== undefined && <span className="sidebar-note">{note}</span>}
      </Link>
      {action}
    </li>
  );
}
