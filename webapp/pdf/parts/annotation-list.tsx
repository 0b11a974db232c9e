import { useAtom, useAtomValue } from "jotai/react";
import { Pencil, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { annotationColors, type Annotation, type AnnotationColor } from "#shared/pdf/annotations.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import {
  annotationDraftsAtom,
  changeAnnotation,
  deleteAnnotation,
  editedAnnotationAtom,
  annotationsAtom,
  setAnnotationDraft,
} from "../annotations/annotations.ts";
import { colorName } from "./selection-menu.tsx";

function NoteField({ annotation, onDone }: { annotation: Annotation; onDone: () => void }) {
  const { _id: id } = annotation;
  const note = useAtomValue(annotationDraftsAtom)[id] ?? annotation.note;
  const setNote = (text: string) => setAnnotationDraft(id, text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const end = () => {
    setAnnotationDraft(id, undefined);
    onDone();
  };
  const save = () => {
    if (note !== annotation.note) void changeAnnotation(annotation, { note });
    end();
  };
  return (
    <form
      className="pdf-note-form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        ref={field}
        className="field-control"
        aria-label={t("pdf.note_on", { quote: annotation.quote.slice(0, 60) })}
        rows={4}
        maxLength={20_000}
        value={note}
        onChange={(event) => setNote(event.target.value)}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === "Escape") end();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <span className="pdf-colours" role="group" aria-label={t("pdf.colour")}>
        {annotationColors.map((color) => (
          <button
            key={color}
            type="button"
            className="pdf-colour"
            data-colour={color}
            aria-pressed={color === annotation.color}
            aria-label={colorName(color)}
            onClick={() => void changeAnnotation({ ...annotation, note }, { color })}
          />
        ))}
      </span>
      <span className="pdf-note-actions">
        <Button variant="quiet" onClick={end}>
          {t("common.cancel")}
        </Button>
        <Button variant="primary" type="submit">
          {t("pdf.save_note")}
        </Button>
      </span>
    </form>
  );
}

interface AnnotationItemProps {
  annotation: Annotation;
  isEdited: boolean;
  onEdit: (id: string | null) => void;
  onNavigate: (annotation: Annotation) => void;
}

function AnnotationItem({ annotation, isEdited, onEdit, onNavigate }: AnnotationItemProps) {
  return (
    <li className="pdf-mark-item" data-colour={annotation.color} data-mark={annotation._id}>
      <button type="button" className="pdf-mark-go" onClick={() => onNavigate(annotation)}>
        <span className="visually-hidden">{colorName(annotation.color)}. </span>
        <span className="pdf-mark-quote">{annotation.quote}</span>
      </button>
      {isEdited ? (
        <NoteField annotation={annotation} onDone={() => onEdit(null)} />
      ) : (
        <>
          {annotation.note !== "" && <p className="pdf-mark-note">{annotation.note}</p>}
          <span className="pdf-mark-actions">
            <IconButton
              label={t("pdf.edit_note")}
              icon={<Pencil aria-hidden />}
              onClick={() => onEdit(annotation._id)}
            />
            <IconButton
              label={t("pdf.delete_highlight")}
              icon={<Trash2 aria-hidden />}
              onClick={() => void deleteAnnotation(annotation)}
            />
          </span>
        </>
      )}
    </li>
  );
}

function ColorFilter({
  colors,
  onColors,
}: {
  colors: readonly AnnotationColor[];
  onColors: (next: AnnotationColor[]) => void;
}) {
  return (
    <div className="pdf-colours pdf-filter" role="group" aria-label={t("pdf.filter")}>
      {annotationColors.map((color) => (
        <button
          key={color}
          type="button"
          className="pdf-colour"
          data-colour={color}
          aria-pressed={colors.includes(color)}
          aria-label={t("pdf.show_colour", { colour: colorName(color) })}
          onClick={() =>
            onColors(colors.includes(color) ? colors.filter((shown) => shown !== color) : [...colors, color])
          }
        />
      ))}
    </div>
  );
}

export function AnnotationList({
  onNavigate,
  onExport,
}: {
  onNavigate: (annotation: Annotation) => void;
  onExport?: (() => void) | undefined;
}) {
  const { annotations, state } = useAtomValue(annotationsAtom);
  const [editedId, setEditedId] = useAtom(editedAnnotationAtom);
  const [colors, setColors] = useState<AnnotationColor[]>([]);
  const visibleAnnotations = annotations.filter(({ color }) => colors.length === 0 || colors.includes(color));
  const pages = [...new Set(visibleAnnotations.map(({ page }) => page))];
  if (state === "loading" && annotations.length === 0) return <Skeleton label={t("pdf.highlights_loading")} />;
  if (annotations.length === 0)
    return <p className="pdf-panel-note">{t(state === "failed" ? "pdf.highlights_failed" : "pdf.highlights_none")}</p>;
  return (
    <div className="pdf-marks">
      <div className="pdf-marks-head">
        <ColorFilter colors={colors} onColors={setColors} />
        {onExport && <Button onClick={onExport}>{t("pdf.export")}</Button>}
      </div>
      {state === "failed" && <p className="pdf-panel-note">{t("pdf.highlights_failed")}</p>}
      {visibleAnnotations.length === 0 && <p className="pdf-panel-note">{t("pdf.highlights_filtered")}</p>}
      {pages.map((page) => (
        <div key={page}>
          <h2 className="pdf-marks-page">{t("pdf.page_n", { page })}</h2>
          <ul role="list">
            {visibleAnnotations
              .filter((annotation) => annotation.page === page)
              .map((annotation) => (
                <AnnotationItem
                  key={annotation._id}
                  annotation={annotation}
                  isEdited={editedId === annotation._id}
                  onEdit={setEditedId}
                  onNavigate={onNavigate}
                />
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
