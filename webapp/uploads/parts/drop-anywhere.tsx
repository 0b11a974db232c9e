import { useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import "./drop-anywhere.css";

interface Props {
  onFiles: (files: readonly File[]) => void;
}

const hasFiles = (data: DataTransfer | null) => data?.types.includes("Files") === true;

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest("input, textarea, [contenteditable]") !== null;

/** Accepts files dropped or pasted anywhere on the screen, unless the target handled the event. */
export function DropAnywhere({ onFiles }: Props) {
  const [isOver, setOver] = useState(false);
  const onFilesRef = useRef(onFiles);
  useEffect(() => {
    onFilesRef.current = onFiles;
  });
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event.dataTransfer)) return;
      // Otherwise the browser would navigate to the file.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return;
      event.preventDefault();
      onFilesRef.current([...(event.dataTransfer?.files ?? [])]);
    };
    const paste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (event.defaultPrevented || files.length === 0 || isTyping(event.target)) return;
      event.preventDefault();
      onFilesRef.current(files);
    };
    window.addEventListener("dragover", over);
    window.addEventListener("dragleave", leave);
    window.addEventListener("drop", drop);
    window.addEventListener("paste", paste);
    return () => {
      window.removeEventListener("dragover", over);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("drop", drop);
      window.removeEventListener("paste", paste);
    };
  }, []);
  if (!isOver) return null;
  return (
    <div className="drop-anywhere" role="status">
      <strong>{t("uploads.drop")}</strong>
      <span>{t("uploads.drop_note")}</span>
    </div>
  );
}
