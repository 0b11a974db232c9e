import type { AnchorHTMLAttributes } from "react";
import { goTo } from "./navigation.ts";

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** An address of ours, with what follows its question mark. */
  to: string;
}

/** Goes to another screen without loading the app anew; a new tab stays a new tab. */
export function InnerLink({ to, onClick, ...rest }: Props) {
  return (
    <a
      {...rest}
      href={to}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        goTo(to);
      }}
    >
      {rest.children}
    </a>
  );
}
