import { useAtom, useAtomValue } from "jotai/react";
import { Pencil, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { markColours, type Annotation, type MarkColour } from "#shared/pdf/annotations.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { changeMark, deleteMark, editedMarkAtom, marksViewAtom } from "../annotations/marks.ts";
import { colourName } from "./selection-menu.tsx";

function NoteField({ mark, onDone }: { mark: Annotation; onDone: () => void }) {
  const [note, setNote] = useState(mark.note);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const keep = () => {
    if (note !== mark.note) void changeMark(mark, { note });
    onDone();
  };
  return (
    <form
      className="pdf-note-form"
      onSubmit={(event) => {
        event.preventDefault();
        keep();
      }}
    >
      <textarea
        ref={field}
        className="field-control"
        aria-label={t("pdf.note_on", { quote: mark.quote.slice(0, 60) })}
        rows={4}
        maxLength={20_000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") onDone();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) keep();
        }}
      />
      <span className="pdf-colours" role="group" aria-label={t("pdf.colour")}>
        {markColours.map((color) => (
          <button
            key={color}
            type="button"
            className="pdf-colour"
            data-colour={color}
            aria-pressed={color === mark.color}
            aria-label={colourName(color)}
            onClick={() => void changeMark({ ...mark, note }, { color })}
          />
        ))}
      </span>
      <span className="pdf-note-actions">
        <Button variant="quiet" onClick={onDone}>
          {t("common.cancel")}
        </Button>
        <Button variant="primary" type="submit">
          {t("pdf.keep_note")}
        </Button>
      </span>
    </form>
  );
}

interface ItemProps {
  mark: Annotation;
  isEdited: boolean;
  onEdit: (id: string | null) => void;
  onGo: (mark: Annotation) => void;
}

function Item({ mark, isEdited, onEdit, onGo }: ItemProps) {
  return (
    <li className="pdf-mark-item" data-colour={mark.color} data-mark={mark._id}>
      <button type="button" className="pdf-mark-go" onClick={() => onGo(mark)}>
        <span className="visually-hidden">{colourName(mark.color)}. </span>
        <span className="pdf-mark-quote">{mark.quote}</span>
      </button>
      {isEdited ? (
        <NoteField mark={mark} onDone={() => onEdit(null)} />
      ) : (
        <>
          {mark.note !== "" && <p className="pdf-mark-note">{mark.note}</p>}
          <span className="pdf-mark-actions">
            <IconButton label={t("pdf.edit_note")} icon={<Pencil aria-hidden />} onClick={() => onEdit(mark._id)} />
            <IconButton
              label={t("pdf.delete_mark")}
              icon={<Trash2 aria-hidden />}
              onClick={() => void deleteMark(mark)}
            />
          </span>
        </>
      )}
    </li>
  );
}

function Filter({ colours, onColours }: { colours: readonly MarkColour[]; onColours: (next: MarkColour[]) => void }) {
  return (
    <div className="pdf-colours pdf-filter" role="group" aria-label={t("pdf.filter")}>
      {markColours.map((color) => (
        <button
          key={color}
          type="button"
          className="pdf-colour"
          data-colour={color}
          aria-pressed={colours.includes(color)}
          aria-label={t("pdf.show_colour", { colour: colourName(color) })}
          onClick={() =>
            onColours(colours.includes(color) ? colours.filter((other) => other !== color) : [...colours, color])
          }
        />
      ))}
    </div>
  );
}

export function MarksList({
  onGo,
  onExport,
}: {
  onGo: (mark: Annotation) => void;
  onExport?: (() => void) | undefined;
}) {
  const { marks, state } = useAtomValue(marksViewAtom);
  const [edited, setEdited] = useAtom(editedMarkAtom);
  const [colours, setColours] = useState<MarkColour[]>([]);
  const shown = marks.filter(({ color }) => colours.length === 0 || colours.includes(color));
  const pages = [...new Set(shown.map(({ page }) => page))];
  if (state === "loading" && marks.length === 0) return <Skeleton label={t("pdf.marks_loading")} />;
  if (marks.length === 0)
    return <p className="pdf-panel-note">{t(state === "failed" ? "pdf.marks_failed" : "pdf.marks_none")}</p>;
  return (
    <div className="pdf-marks">
      <div className="pdf-marks-head">
        <Filter colours={colours} onColours={setColours} />
        {onExport && <Button onClick={onExport}>{t("pdf.export")}</Button>}
      </div>
      {state === "failed" && <p className="pdf-panel-note">{t("pdf.marks_failed")}</p>}
      {shown.length === 0 && <p className="pdf-panel-note">{t("pdf.marks_filtered")}</p>}
      {pages.map((page) => (
        <div key={page}>
          <h2 className="pdf-marks-page">{t("pdf.page_n", { page })}</h2>
          <ul role="list">
            {shown
              .filter((mark) => mark.page === page)
              .map((mark) => (
                <Item key={mark._id} mark={mark} isEdited={edited === mark._id} onEdit={setEdited} onGo={onGo} />
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
