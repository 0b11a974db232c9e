import { useAtomValue } from "jotai/react";
import { Pencil, Trash2 } from "lucide-react";
import { useRef, useState, type Ref } from "react";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { store } from "#webapp/app/store.ts";
import {
  addNote,
  changeNote,
  haveNotesFailedAtom,
  loadNotes,
  noteDraftsAtom,
  notesAtom,
  removeNote,
  writeNoteDraft,
  type VideoNote,
  type NoteTarget,
} from "../notes.ts";
import { nowMsAtom, seekTo } from "../playback.ts";

interface WriterProps {
  label: string;
  button: string;
  text: string;
  onText: (text: string) => void;
  inputRef?: Ref<HTMLTextAreaElement>;
  /** Resolves once the note is saved, or could not be. */
  onSave: (text: string) => Promise<void>;
}

function NoteForm({ label, button, text, onText, inputRef, onSave }: WriterProps) {
  const isSaving = useRef(false);
  const save = async () => {
    // A second press must not save the note twice.
    if (text.trim() === "" || isSaving.current) return;
    isSaving.current = true;
    await onSave(text);
    isSaving.current = false;
  };
  return (
    <form
      className="note-writer"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <TextArea
        {...(inputRef ? { ref: inputRef } : {})}
        label={label}
        placeholder={t("video.note_placeholder")}
        value={text}
        rows={2}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
        }}
      />
      <Button type="submit" disabled={text.trim() === ""}>
        {button}
      </Button>
    </form>
  );
}

function NoteRow({ note, target }: { note: VideoNote; target: NoteTarget }) {
  /** The changed text; undefined while the note is not being edited. */
  const [draft, setDraft] = useState<string>();
  const time = formatTimecode(note.atMs);
  const save = async (text: string) => {
    if (await changeNote(target, note, text)) setDraft(undefined);
  };
  return (
    <li className="note">
      <button
        type="button"
        className="line-time"
        aria-label={t("video.go_to", { time })}
        onClick={() => seekTo(note.atMs)}
      >
        {time}
      </button>
      {draft !== undefined ? (
        <NoteForm
          label={t("video.note_at", { time })}
          button={t("video.save_note")}
          text={draft}
          onText={setDraft}
          onSave={save}
        />
      ) : (
        <p className="note-text" dir="auto">
          {note.text}
        </p>
      )}
      <span className="note-actions">
        <IconButton
          label={t("video.edit_note", { time })}
          icon={<Pencil aria-hidden />}
          onClick={() => setDraft(draft === undefined ? note.text : undefined)}
        />
        <IconButton
          label={t("video.remove_note", { time })}
          icon={<Trash2 aria-hidden />}
          onClick={() => void removeNote(note)}
        />
      </span>
    </li>
  );
}

/** The notes on a video. They are also on the video's page, and are stored on this device before they are synced. */
export function NotesPanel({ target, inputRef }: { target: NoteTarget; inputRef: Ref<HTMLTextAreaElement> }) {
  const { videoId } = target;
  const positionMs = useAtomValue(nowMsAtom);
  const draft = useAtomValue(noteDraftsAtom)[videoId] ?? "";
  const add = async (text: string) => {
    if (!(await addNote(target, positionMs, text))) return;
    // What was written in the meantime is the next note.
    if (store.get(noteDraftsAtom)[videoId] === text) writeNoteDraft(videoId, "");
  };
  return (
    <>
      <NoteForm
        label={t("video.note_at", { time: formatTimecode(positionMs) })}
        button={t("video.add_note")}
        text={draft}
        onText={(text) => writeNoteDraft(videoId, text)}
        inputRef={inputRef}
        onSave={add}
      />
      <NoteList target={target} />
    </>
  );
}

function NoteList({ target }: { target: NoteTarget }) {
  const notes = useAtomValue(notesAtom);
  const hasFailed = useAtomValue(haveNotesFailedAtom);
  return (
    <>
      {hasFailed && (
        <div className="panel-empty">
          <p>{t("video.notes_failed")}</p>
          <Button onClick={() => void loadNotes(target)}>{t("common.retry")}</Button>
        </div>
      )}
      {!hasFailed && notes.length === 0 && <p className="panel-empty">{t("video.no_notes")}</p>}
      {notes.length > 0 && (
        <ol role="list" className="notes">
          {notes.map((note) => (
            <NoteRow key={note.id} note={note} target={target} />
          ))}
        </ol>
      )}
    </>
  );
}
