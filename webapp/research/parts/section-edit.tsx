import { Pencil, Undo2 } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { splitEditedText, splitMarkers, toEditableText } from "#shared/research/canvas.ts";
import { MAX_EDIT_CHARS, type CanvasSection } from "#shared/research/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { headingOf } from "./source-name.ts";
import { SentenceCitation, type CitationProps } from "./sentence-citation.tsx";

/**
 * Saves the student's version of a section; null is the checked text. `base` is the version that was changed. Resolves to
 * whether it is saved, or will be sent again.
 */
export type SaveEdit = (section: string, edit: { text: string | null; base: string | null }) => Promise<boolean>;

interface EditorProps {
  section: CanvasSection;
  /** The student's version so far. */
  edited: string | null;
  onSave: SaveEdit;
  onClose: () => void;
}

/** The field in which the student rewrites a section. */
export function SectionEditor({ section, edited, onSave, onClose }: EditorProps) {
  // Another tab may save another version meanwhile.
  const [base] = useState(edited);
  const [text, setText] = useState(() => edited ?? toEditableText(section, t("research.disagree")));
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    setSaving(true);
    if (await onSave(section.id, { text: text.trim(), base })) onClose();
    else setSaving(false);
  };
  return (
    <div className="research-editor">
      <TextArea
        label={t("research.edit_label", { heading: headingOf(section) })}
        hint={t("research.edit_hint")}
        rows={6}
        maxLength={MAX_EDIT_CHARS}
        value={text}
        autoFocus
        onChange={(event) => setText(event.target.value)}
      />
      <div className="research-editor-actions">
        <Button variant="primary" pending={isSaving} disabled={text.trim() === ""} onClick={() => void save()}>
          {t("research.save")}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}

/** The student's version, with its headings, and with badges for the citations that it still has. */
export function EditedText({ text: edited, ...props }: CitationProps & { text: string }) {
  return splitEditedText(edited).map(({ isHeading, text }, index) => {
    const parts = splitMarkers(text).map((part, partIndex) =>
      typeof part === "string" ? part : <SentenceCitation key={partIndex} n={part} {...props} />,
    );
    // The parts of a text have no identity except their index.
    return isHeading ? (
      <h3 key={index} dir="auto">
        {parts}
      </h3>
    ) : (
      <p key={index} className="research-text" dir="auto">
        {parts}
      </p>
    );
  });
}

interface BarProps {
  section: CanvasSection;
  /** False offline and while a run is writing. */
  canEdit: boolean;
  /** The student's version; null if there is none. */
  edited: string | null;
  isCheckedShown: boolean;
  onToggle: () => void;
  onEdit: () => void;
  onSave: SaveEdit;
}

/** Buttons to rewrite a section. For a rewritten section, also to show the checked text or to return to it. */
export function SectionBar({ section, canEdit, edited, isCheckedShown, onToggle, onEdit, onSave }: BarProps) {
  const isEdited = edited !== null;
  const heading = headingOf(section);
  return (
    <div className="research-section-bar" data-edited={isEdited}>
      {isEdited && (
        <Button variant="quiet" aria-expanded={isCheckedShown} onClick={onToggle}>
          {t(isCheckedShown ? "research.hide_checked" : "research.show_checked")}
        </Button>
      )}
      {isEdited && canEdit && (
        <Button
          variant="quiet"
          icon={<Undo2 aria-hidden />}
          aria-label={t("research.restore_checked_of", { heading })}
          onClick={() => void onSave(section.id, { text: null, base: edited })}
        >
          {t("research.restore_checked")}
        </Button>
      )}
      {canEdit && (
        <Button
          variant="quiet"
          icon={<Pencil aria-hidden />}
          aria-label={t("research.edit_section", { heading })}
          onClick={onEdit}
        >
          <span className="research-edit-word">{t("research.edit")}</span>
        </Button>
      )}
    </div>
  );
}
