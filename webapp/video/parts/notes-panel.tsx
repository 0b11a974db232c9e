import { useAtomValue } from "jotai/react";
import { Pencil, Trash2 } from "lucide-react";
import { useState, type Ref } from "react";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { addNote, changeNote, notesAtom, removeNote, type VideoNote, type NoteTarget } from "../notes.ts";
import { nowMsAtom, seekTo } from "../playback.ts";

interface WriterProps {
  label: string;
  button: string;
  initial: string;
  inputRef?: Ref<HTMLTextAreaElement>;
  /** Resolves to true if the note was saved. */
  onSave: (text: string) => Promise<boolean>;
}

function NoteForm({ label, button, initial, inputRef, onSave }: WriterProps) {
  const [text, setText] = useState(initial);
  const save = async () => {
    // If it could not be stored, the input keeps the text.
    if (text.trim() !== "" && (await onSave(text))) setText("");
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
        onChange={(event) => setText(event.target.value)}
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
  const [isEditing, setEditing] = useState(false);
  const time = formatTimecode(note.atMs);
  const save = async (text: string) => {
    const isSaved = await changeNote(target, note, text);
    if (isSaved) setEditing(false);
    return isSaved;
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
      {isEditing ? (
        <NoteForm
          label={t("video.note_at", { time })}
          button={t("video.save_note")}
          initial={note.text}
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
          onClick={() => setEditing(!isEditing)}
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
  const notes = useAtomValue(notesAtom);
  const positionMs = useAtomValue(nowMsAtom);
  return (
    <>
      <NoteForm
        label={t("video.note_at", { time: formatTimecode(positionMs) })}
        button={t("video.add_note")}
        initial=""
        inputRef={inputRef}
        onSave={(text) => addNote(target, positionMs, text)}
      />
      {notes.length === 0 ? (
        <p className="panel-empty">{t("video.no_notes")}</p>
      ) : (
        <ol role="list" className="notes">
          {notes.map((note) => (
            <NoteRow key={note.id} note={note} target={target} />
          ))}
        </ol>
      )}
    </>
  );
}
