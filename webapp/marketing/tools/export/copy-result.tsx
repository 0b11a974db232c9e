import { useEffect, useId, useRef, useState } from "react";
import { word } from "../words.ts";

export interface CopyText {
  plain: string;
  html?: string;
}

/** The result of copying: none yet, done, or the text that the visitor has to copy. */
export type Copied = "none" | "done" | { plain: string };

/** The clipboard is missing on pages without HTTPS, and may be refused. */
async function writeToClipboard({ plain, html }: CopyText): Promise<void> {
  if (html === undefined || typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(plain);
  const blobs = Object.entries({ "text/html": html, "text/plain": plain }).map(
    ([type, text]) => [type, new Blob([text], { type })] as const,
  );
  return navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
}

/** A function that copies a text, and what came of it, for `CopyResult`. */
export function useCopy(): { copied: Copied; copy: (text: CopyText) => Promise<void> } {
  const [copied, setCopied] = useState<Copied>("none");
  const copy = async (text: CopyText) => {
    try {
      await writeToClipboard(text);
      setCopied("done");
    } catch {
      setCopied({ plain: text.plain });
    }
  };
  return { copied, copy };
}

/** Says that the text was copied, or shows it selected, to be copied with the keyboard. */
export function CopyResult({ copied, done }: { copied: Copied; done: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  useEffect(() => {
    if (typeof copied !== "object") return;
    field.current?.focus();
    field.current?.select();
  }, [copied]);
  return (
    <>
      <span role="status" className="tool-hint">
        {copied === "done" && done}
      </span>
      {typeof copied === "object" && (
        <div className="tool-copy">
          <label htmlFor={id}>{word("copy_failed")}</label>
          <textarea ref={field} id={id} rows={4} readOnly value={copied.plain} />
        </div>
      )}
    </>
  );
}
