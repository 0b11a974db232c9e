import "./kbd.css";

/** A key, as labelled on the keyboard. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="kbd">{children}</kbd>;
}
