import { useEffect, useRef, useState, type ReactNode, type SyntheticEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { DropAnywhere } from "#webapp/uploads/parts/drop-anywhere.tsx";
import { pickFiles } from "#webapp/uploads/parts/pick-files.ts";
import { UploadList } from "#webapp/uploads/parts/upload-list.tsx";
import { cardsFor, pageOfFile, pageOfNotes, type FirstPage } from "../first-page.ts";

export type Begin = "notes" | "file" | "page";

interface Props {
  begin: Begin;
  /** Called once the page is stored: onboarding is complete, whatever happens to the cards. */
  onMade: () => Promise<void>;
  onOpen: (page: FirstPage) => void;
  onBack: () => void;
}

type Work = { state: "asking" } | { state: "page" } | { state: "cards"; page: FirstPage; count: number };

/** Third step: creates the page, generates cards if there are sources, and opens it. */
export function FirstPageStep({ begin, onMade, onOpen, onBack }: Props) {
  const [work, setWork] = useState<Work>({ state: "asking" });
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);

  const make = async (makePage: () => Promise<FirstPage | undefined>) => {
    setWork({ state: "page" });
    try {
      const page = await makePage();
      if (!page) return setWork({ state: "asking" });
      await onMade();
      setWork({ state: "cards", page, count: 0 });
      for await (const count of cardsFor(page)) {
        // The page was opened already; card generation continues on the server.
        if (!isHere.current) return;
        setWork({ state: "cards", page, count });
      }
      if (isHere.current) onOpen(page);
    } catch (error) {
      logTrouble("Could not create the first page", error);
      notify({ message: t("failures.other"), type: "error" });
      setWork({ state: "asking" });
    }
  };

  if (work.state === "cards") return <Making work={work} onOpen={onOpen} />;
  const isBusy = work.state === "page";
  const back = (
    <Button variant="quiet" size="l" disabled={isBusy} onClick={onBack}>
      {t("welcome.back")}
    </Button>
  );
  if (begin === "file")
    return <FileStep isBusy={isBusy} onFile={(file) => void make(() => pageOfFile(file))} back={back} />;
  return (
    <NotesStep
      hasNotes={begin === "notes"}
      isBusy={isBusy}
      onNotes={(title, notes) => void make(() => pageOfNotes(title, notes))}
      back={back}
    />
  );
}

function Making({ work, onOpen }: { work: Extract<Work, { state: "cards" }>; onOpen: Props["onOpen"] }) {
  return (
    <div className="welcome-form">
      <p role="status">{work.count === 0 ? t("welcome.making_cards") : t("welcome.cards", { count: work.count })}</p>
      <Skeleton label={t("welcome.making_cards")} lines={[70, 92, 58]} height={18} />
      <div className="welcome-actions">
        <Button size="l" onClick={() => onOpen(work.page)}>
          {t("welcome.open_now")}
        </Button>
        <span className="welcome-text">{t("welcome.open_hint")}</span>
      </div>
    </div>
  );
}

interface FileStepProps {
  isBusy: boolean;
  onFile: (file: File) => void;
  back: ReactNode;
}

function FileStep({ isBusy, onFile, back }: FileStepProps) {
  const take = ([file]: readonly File[]) => {
    if (file && !isBusy) onFile(file);
  };
  return (
    <div className="welcome-form">
      <p className="welcome-text">{t("welcome.from_file_text")}</p>
      <UploadList />
      <DropAnywhere onFiles={take} />
      <div className="welcome-actions">
        <Button variant="primary" size="l" pending={isBusy} onClick={() => pickFiles({ take, isOne: true })}>
          {t(isBusy ? "welcome.making_page" : "welcome.choose_file")}
        </Button>
        {back}
      </div>
      <p className="welcome-text">{t("welcome.file_drop")}</p>
    </div>
  );
}

interface NotesStepProps {
  hasNotes: boolean;
  isBusy: boolean;
  onNotes: (title: string, notes: string) => void;
  back: ReactNode;
}

function NotesStep({ hasNotes, isBusy, onNotes, back }: NotesStepProps) {
  const [title, setTitle] = useState("");
  const [notes, setNotes] = useState("");
  const [fault, setFault] = useState<string>();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const isMissing = hasNotes && notes.trim() === "";
    setFault(isMissing ? t("welcome.notes_missing") : undefined);
    if (!isMissing) onNotes(title.trim(), notes);
  };
  return (
    <form className="welcome-form" noValidate onSubmit={submit}>
      <TextField
        label={t("welcome.title")}
        hint={t("welcome.title_hint")}
        maxLength={500}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      {hasNotes && (
        <TextArea
          label={t("welcome.notes")}
          error={fault}
          value={notes}
          onChange={(event) => {
            setNotes(event.target.value);
            setFault(undefined);
          }}
        />
      )}
      <div className="welcome-actions">
        <Button type="submit" variant="primary" size="l" pending={isBusy}>
          {t(isBusy ? "welcome.making_page" : "welcome.make")}
        </Button>
        {back}
      </div>
    </form>
  );
}
