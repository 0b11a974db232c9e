import "./kbd.css";

/** A key, written as it stands on the keyboard. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="kbd">{children}</kbd>;
}
