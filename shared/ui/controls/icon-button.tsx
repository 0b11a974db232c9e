import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import "./icon-button.css";

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "children" | "aria-label"> {
  /** The action as a verb, which is the accessible name and the tooltip. */
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
