import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from "react";
import "./button.css";

interface Look {
  /** One primary action per view. */
  variant?: "primary" | "secondary" | "quiet" | "danger";
  size?: "m" | "l";
  /** Shown before the label; the label names the button. */
  icon?: ReactNode;
}

function classes({ variant = "secondary", size = "m" }: Look, className?: string) {
  return ["button", `button-${variant}`, size === "l" && "button-l", className].filter(Boolean).join(" ");
}

interface ButtonProps extends Look, ButtonHTMLAttributes<HTMLButtonElement> {
  /** While true the button keeps its focus and position but ignores presses. */
  pending?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({ variant, size, icon, pending = false, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes({ ...(variant && { variant }), ...(size && { size }) }, className)}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={(event) => (pending ? event.preventDefault() : onClick?.(event))}
    >
      {icon}
      {children}
    </button>
  );
}

export interface ButtonLinkProps extends Look, AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>;
}

/** A link that looks like a button. */
export function ButtonLink({ variant, size, icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <a {...rest} className={classes({ ...(variant && { variant }), ...(size && { size }) }, className)}>
      {icon}
      {children}
    </a>
  );
}
