import { useEffect, useId, useRef, useState } from "react";
import { PhaseLine } from "./phase-line.tsx";
import { type FileKind, prepareAhead, prepareFile } from "./prepare.ts";
import { ToolError, type Cards, type Report, type Source } from "./use-cards.ts";
import { word } from "./words.ts";

const MAX_BYTES = 100 * 1024 * 1024;

const kinds = {
  pdf: { accept: ".pdf,application/pdf", name: /\.pdf$/i, types: "PDF", drop: "drop_pdf", hint: "hint_pdf" },
  image: {
    accept: "image/png,image/jpeg,image/webp",
    name: /\.(?:png|jpe?g|webp)$/i,
    types: "JPEG, PNG, WebP",
    drop: "drop_image",
    hint: "hint_image",
  },
  office: {
    accept: ".pptx,.docx",
    name: /\.(?:pptx|docx)$/i,
    types: "PPTX, DOCX",
    drop: "drop_office",
    hint: "hint_office",
  },
} as const;

/** Reads a file. The reader is loaded with the first file of its kind. */
async function readFile(kind: FileKind, file: File, report: Report, signal: AbortSignal): Promise<Source> {
  const { name, types } = kinds[kind];
  if (!name.test(file.name)) throw new ToolError(word("error_type", { types }));
  if (file.size > MAX_BYTES) throw new ToolError(word("error_large"));
  if (kind === "pdf") return (await import("./readers/read-pdf.ts")).readPdf(file, report, signal);
  if (kind === "image") return (await import("./readers/read-image.ts")).readImage(file, report, signal);
  return (await import("./readers/read-office.ts")).readOffice(file);
}

const withoutExtension = (name: string) => name.replace(/\.[a-z0-9]{1,5}$/i, "");

/**
 * Calls `onFile` with a file that was chosen before the script was ready, and with a file that is dropped anywhere on
 * the page: the browser would open one that misses the field, instead of the page. `isOver` is true while a file is
 * dragged over the page.
 */
function useFiles(onFile: (file: File) => void) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFile);
  useEffect(() => {
    latest.current = onFile;
  });
  useEffect(() => {
    const read = (files: FileList | null | undefined) => {
      const [file] = files ?? [];
      if (file) latest.current(file);
    };
    const onDrag = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      // Leaving the window has no related element; leaving one element for another has.
      setOver(event.type === "dragover" || (event.type === "dragleave" && event.relatedTarget !== null));
      if (event.type === "drop") read(event.dataTransfer.files);
    };
    const names = ["dragover", "dragleave", "drop"] as const;
    for (const name of names) document.addEventListener(name, onDrag);
    const field = input.current;
    read(field?.files);
    if (field) field.value = "";
    return () => {
      for (const name of names) document.removeEventListener(name, onDrag);
    };
  }, []);
  return { input, isOver };
}

/** Makes cards from a file that the visitor chooses or drops. */
export function FileSource({ kind, cards }: { kind: FileKind; cards: Cards }) {
  const [name, setName] = useState<string>();
  const id = useId();
  const { accept, drop, hint } = kinds[kind];
  const makeFrom = (file: File) => {
    setName(file.name);
    void cards.make(withoutExtension(file.name), (report, signal) => readFile(kind, file, report, signal));
  };
  useEffect(() => prepareAhead(kind), [kind]);
  const { input, isOver } = useFiles((file) => {
    prepareFile(kind);
    makeFrom(file);
  });
  return (
    <div className="tool-form">
      <div
        className="tool-drop"
        data-over={isOver}
        onPointerEnter={() => prepareFile(kind)}
        onFocus={() => prepareFile(kind)}
        onDragEnter={() => prepareFile(kind)}
      >
        <p>
          <strong>{name ?? word(drop)}</strong> <span>{name === undefined && word("drop_or")}</span>
        </p>
        <input
          ref={input}
          id={id}
          className="tool-file"
          type="file"
          accept={accept}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            const [file] = event.target.files ?? [];
            event.target.value = "";
            if (file) makeFrom(file);
          }}
        />
        <label htmlFor={id} className="button button-secondary">
          {word(name === undefined ? "choose" : "choose_other")}
        </label>
        <p className="tool-hint" id={`${id}-hint`}>
          {word(hint)}
        </p>
      </div>
      <PhaseLine cards={cards} />
    </div>
  );
}
