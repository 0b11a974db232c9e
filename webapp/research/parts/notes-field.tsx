import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { TextArea } from "#shared/ui/controls/text-area.tsx";

const DEBOUNCE_MS = 800;

export type SaveNotes = (notes: string, base: string) => void;

/**
 * The text that is being typed, with the saved text from which the student began: another tab may save another one
 * meanwhile. It is saved after a pause, on blur, when the tab is hidden and on unmount.
 */
function useNotesDraft(value: string, onSave: SaveNotes) {
  const [draft, setDraft] = useState<{ text: string; base: string } | null>(null);
  const commit = useRef(() => {});
  useLayoutEffect(() => {
    commit.current = () => {
      if (draft === null) return;
      setDraft(null);
      if (draft.text !== draft.base) onSave(draft.text, draft.base);
    };
  });
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => commit.current(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useLayoutEffect(() => {
    const commitNow = () => commit.current();
    window.addEventListener("pagehide", commitNow, { capture: true });
    window.addEventListener("visibilitychange", commitNow, { capture: true });
    return () => {
      window.removeEventListener("pagehide", commitNow, { capture: true });
      window.removeEventListener("visibilitychange", commitNow, { capture: true });
      commitNow();
    };
  }, []);
  const write = (text: string) => setDraft((typed) => ({ text, base: typed?.base ?? value }));
  return { shown: draft?.text ?? value, write, save: () => commit.current() };
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
