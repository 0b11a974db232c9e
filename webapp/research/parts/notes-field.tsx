import { t } from "#shared/messages/translate.ts";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { useDraft } from "#webapp/app/hooks/use-draft.ts";

const DEBOUNCE_MS = 800;

/** A field for the student's own notes, saved while typing. */
export function NotesField({ value, onValue }: { value: string; onValue: (notes: string) => void }) {
  const { shown, write, end } = useDraft({ value, debounceMs: DEBOUNCE_MS, onValue });
  return (
    <section className="research-notes">
      <TextArea
        label={t("research.notes")}
        hint={t("research.notes_hint")}
        placeholder={t("research.notes_placeholder")}
        rows={3}
        value={shown}
        onChange={(event) => write(event.target.value)}
        onBlur={end}
      />
    </section>
  );
}
