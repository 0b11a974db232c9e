import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { X } from "lucide-react";
import { IconButton } from "../controls/icon-button.tsx";
import { useRootMark } from "../root-mark.ts";
import "./dialog.css";

interface Props {
  open: boolean;
  title: string;
  /** Called by Escape, the close button and a click beside the dialog. */
  onClose: () => void;
  closeLabel: string;
  children: ReactNode;
  /** The actions, the primary one last. */
  footer?: ReactNode;
  /** A click outside closes it too; off where something typed would be lost. */
  closeOnBackdrop?: boolean;
}

/** For `ref`: a dialog that opens gives focus to its first button unless something in it says that it wants it. */
export const focusInDialog = (field: HTMLElement | null): void => field?.setAttribute("autofocus", "");

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

/** Words that are longer than their dialog are scrolled by keyboard too, also where there is nothing else to stop at. */
function reachable(content: HTMLElement, titleId: string): void {
  const isStop = content.scrollHeight > content.clientHeight && content.querySelector(FOCUSABLE) === null;
  const said = { tabindex: "0", role: "group", "aria-labelledby": titleId };
  for (const [name, value] of Object.entries(said))
    if (isStop) content.setAttribute(name, value);
    else content.removeAttribute(name);
}

/**
 * The browser's own modal dialog: it keeps focus inside, makes the rest inert, closes on Escape and gives focus back,
 * without a style element that our content policy would refuse.
 */
export function Dialog({ open, title, onClose, closeLabel, children, footer, closeOnBackdrop = true }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useRootMark(ref, "veiled", open);

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);

  // One that is taken away while it is open closes first: only closing gives the focus back.
  useLayoutEffect(() => {
    const dialog = ref.current;
    return () => dialog?.close();
  }, []);

  useEffect(() => {
    const content = ref.current?.querySelector<HTMLElement>(".dialog-content");
    if (!open || !content) return undefined;
    const measured = new ResizeObserver(() => reachable(content, titleId));
    measured.observe(content);
    return () => measured.disconnect();
  }, [open, titleId]);

  return (
    // Escape and the close button do by keyboard what a click on the backdrop does.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={ref}
      className="dialog"
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (closeOnBackdrop && event.target === ref.current) onClose();
      }}
    >
      {open && (
        <div className="dialog-body">
          <header className="dialog-header">
            <h2 id={titleId} className="dialog-title">
              {title}
            </h2>
            <IconButton label={closeLabel} icon={<X aria-hidden />} onClick={onClose} />
          </header>
          <div className="dialog-content">{children}</div>
          {footer !== undefined && <footer className="dialog-footer">{footer}</footer>}
        </div>
      )}
    </dialog>
  );
}
