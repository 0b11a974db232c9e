import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { X } from "lucide-react";
import { IconButton } from "../controls/icon-button.tsx";
import { useRootAttribute } from "../root-attribute.ts";
import { useOpenDialog } from "./top-dialog.ts";
import "./dialog.css";

interface Props {
  open: boolean;
  title: string;
  /** Called by Escape, the close button and a click on the backdrop. */
  onClose: () => void;
  closeLabel: string;
  children: ReactNode;
  /** The actions, the primary action last. */
  footer?: ReactNode;
  /** Whether a click outside closes it; off if typed input would be lost. */
  closeOnBackdrop?: boolean;
}

/**
 * For `ref`: the element on which a dialog opens. Without one it opens on the text field that it begins with, or else on
 * its close button.
 */
export const focusInDialog = (field: HTMLElement | null): void => field?.setAttribute("autofocus", "");

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const TEXT_FIELD = "textarea, input:not([type]), input[type=text], input[type=search], input[type=url]";

/** Touch is left out, because the screen's keyboard would cover the dialog before it has been read. */
function focusFirstField(dialog: HTMLElement): void {
  if (matchMedia("(pointer: coarse)").matches || dialog.querySelector("[autofocus]")) return;
  const first = dialog.querySelector<HTMLElement>(".dialog-content")?.querySelector<HTMLElement>(FOCUSABLE);
  if (first?.matches(TEXT_FIELD) === true && !first.hasAttribute("readonly")) focusInDialog(first);
}

/** Makes scrollable content focusable if it has no focusable element, so that it can be scrolled by keyboard. */
function makeScrollable(content: HTMLElement, titleId: string): void {
  const needsFocus = content.scrollHeight > content.clientHeight && content.querySelector(FOCUSABLE) === null;
  const attributes = { tabindex: "0", role: "group", "aria-labelledby": titleId };
  for (const [name, value] of Object.entries(attributes))
    if (needsFocus) content.setAttribute(name, value);
    else content.removeAttribute(name);
}

/**
 * The native modal dialog: it traps focus, makes the page behind it inert, closes on Escape and restores focus, without
 * a style element that our content security policy would refuse.
 */
export function Dialog({ open, title, onClose, closeLabel, children, footer, closeOnBackdrop = true }: Props) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useRootAttribute(ref, "veiled", open);
  useOpenDialog(ref, open);

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) {
      focusFirstField(dialog);
      dialog.showModal();
    }
    if (!open && dialog.open) dialog.close();
  }, [open]);

  // A dialog that is unmounted while open is closed first, because only closing restores focus.
  useLayoutEffect(() => {
    const dialog = ref.current;
    return () => dialog?.close();
  }, []);

  useEffect(() => {
    const content = ref.current?.querySelector<HTMLElement>(".dialog-content");
    if (!open || !content) return undefined;
    const resizeObserver = new ResizeObserver(() => makeScrollable(content, titleId));
    resizeObserver.observe(content);
    return () => resizeObserver.disconnect();
  }, [open, titleId]);

  return (
    // Escape and the close button are the keyboard equivalents of a click on the backdrop.
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
          <div className="dialog-header">
            <h2 id={titleId} className="dialog-title">
              {title}
            </h2>
            <IconButton label={closeLabel} icon={<X aria-hidden />} onClick={onClose} />
          </div>
          <div className="dialog-content">{children}</div>
          {footer !== undefined && <div className="dialog-footer">{footer}</div>}
        </div>
      )}
    </dialog>
  );
}
