import { useId, useState, type DragEvent } from "react";
import { PhaseLine } from "./phase-line.tsx";
import { prepareFile } from "./prepare.ts";
import { ToolProblem, type Cards, type Report, type Source } from "./use-cards.ts";
import { word } from "./words.ts";

export type FileKind = "pdf" | "image" | "office";

const MAX_BYTES = 100 * 1024 * 1024;

const kinds = {
  pdf: { accept: ".pdf,application/pdf", name: /\.pdf$/i, drop: "drop_pdf", hint: "hint_pdf" },
  image: {
    accept: "image/png,image/jpeg,image/webp",
    name: /\.(?:png|jpe?g|webp)$/i,
    drop: "drop_image",
    hint: "hint_image",
  },
  office: { accept: ".pptx,.docx", name: /\.(?:pptx|docx)$/i, drop: "drop_office", hint: "hint_office" },
} as const;

/** Reads a file. The reader is loaded with the first file of its kind. */
async function readFile(kind: FileKind, file: File, report: Report, signal: AbortSignal): Promise<Source> {
  if (!kinds[kind].name.test(file.name)) throw new ToolProblem(word("error_type"));
  if (file.size > MAX_BYTES) throw new ToolProblem(word("error_large"));
  if (kind === "pdf") return (await import("./readers/read-pdf.ts")).readPdf(file, report, signal);
  if (kind === "image") return (await import("./readers/read-image.ts")).readImage(file, report, signal);
  return (await import("./readers/read-office.ts")).readOffice(file);
}

const withoutExtension = (name: string) => name.replace(/\.[a-z0-9]{1,5}$/i, "");

/** Makes cards from a file that the visitor chooses or drops. */
export function FileSource({ kind, cards }: { kind: FileKind; cards: Cards }) {
  const [isOver, setOver] = useState(false);
  const [name, setName] = useState<string>();
  const id = useId();
  const { accept, drop, hint } = kinds[kind];
  const makeFrom = (file: File | undefined) => {
    if (!file) return;
    setName(file.name);
    void cards.make(withoutExtension(file.name), (report, signal) => readFile(kind, file, report, signal));
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    makeFrom(event.dataTransfer.files[0]);
  };
  return (
    <div className="tool-form">
      <div
        className="tool-drop"
        data-over={isOver}
        onPointerEnter={() => prepareFile(kind)}
        onFocus={() => prepareFile(kind)}
        onDragEnter={() => prepareFile(kind)}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <p>
          <strong>{name ?? word(drop)}</strong> <span>{name === undefined && word("drop_or")}</span>
        </p>
        <input
          id={id}
          className="tool-file"
          type="file"
          accept={accept}
          aria-describedby={`${id}-hint`}
          onChange={(event) => {
            makeFrom(event.target.files?.[0]);
            event.target.value = "";
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
