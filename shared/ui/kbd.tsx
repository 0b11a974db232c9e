import "./kbd.css";

/** A key, as labelled on the keyboard. */
export function Kbd({ children }: { children: string }) {
  return <kbd className="kbd key-hint">{children}</kbd>;
}

/** A key on a button. It is hidden from screen readers, so that it is not part of the button's name. */
export const KeyHint = ({ children }: { children: string }) => (
  <span aria-hidden className="key-hint">
    <Kbd>{children}</Kbd>
  </span>
);
