import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { useCommit } from "#webapp/app/hooks/use-commit.ts";

const DEBOUNCE_MS = 800;

export type SaveNotes = (notes: string, base: string) => void;

/**
 * The typed text with its `base`, the saved text that the student began to change, because another tab may save another
 * text meanwhile. It is saved after a pause, on blur, when the tab is hidden and on unmount.
 */
function useNotesDraft(value: string, onSave: SaveNotes) {
  const [draft, setDraft] = useState<{ text: string; base: string } | null>(null);
  const save = useCommit(draft, DEBOUNCE_MS, () => {
    if (draft === null) return;
    setDraft(null);
    if (draft.text !== draft.base) onSave(draft.text, draft.base);
  });
  const write = (text: string) => setDraft((typed) => ({ text, base: typed?.base ?? value }));
  return { shown: draft?.text ?? value, write, save };
}

/** A field for the student's own notes, saved while typing. */
export function NotesField({ value, onValue }: { value: string; onValue: SaveNotes }) {
  const { shown, write, save } = useNotesDraft(value, onValue);
  return (
    <section className="research-notes">
      <TextArea
        label={t("research.notes")}
        hint={t("research.notes_hint")}
        placeholder={t("research.notes_placeholder")}
        rows={3}
        value={shown}
        onChange={(event) => write(event.target.value)}
        onBlur={save}
      />
    </section>
  );
}
