import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import "./icon-button.css";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "aria-label"> {
  /** What it does, as a verb: the name for those who cannot see the icon, and the hint for those who can. */
  label: string;
  icon: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, icon, className, ...rest }: Props) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={["icon-button", className].filter(Boolean).join(" ")}
    >
      {icon}
    </button>
  );
}
