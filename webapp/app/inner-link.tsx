import type { AnchorHTMLAttributes } from "react";
import { goTo } from "./navigation.ts";

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  /** A path in this app, with its query string. */
  to: string;
}

/** Navigates without reloading the app. Modified clicks still open a new tab. */
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
