import { useAtomValue } from "jotai/react";
import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type SyntheticEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { notify } from "#webapp/app/alerts.ts";
import { logWarning } from "#webapp/app/log.ts";
import { userAtom } from "#webapp/app/session/session.ts";
import { DropAnywhere } from "#webapp/uploads/parts/drop-anywhere.tsx";
import { pickFiles } from "#webapp/uploads/parts/pick-files.ts";
import { UploadList } from "#webapp/uploads/parts/upload-list.tsx";
import {
  cardPageLimit,
  generateFirstCards,
  createPageFromFile,
  createPageFromNotes,
  type FirstPage,
} from "../../first-page.ts";
import { takeFirstFile } from "./take-first-file.ts";

export type FirstPageSource = "notes" | "file" | "page";

interface Props {
  source: FirstPageSource;
  /** The file, if it was already chosen or dropped. */
  file?: File;
  /** Called once the page is stored. Onboarding is then complete, even if card generation fails. */
  onCreated: () => Promise<void>;
  onOpen: (page: FirstPage) => void;
  onStudy: (page: FirstPage, deckId: string) => void;
  onBack: () => void;
}

type StepState =
  | { state: "asking" }
  | { state: "page" }
  | { state: "cards"; page: FirstPage; count: number; deckId?: string };

/** Whether the student has left. Finished cards must then not open another screen while the next one loads. */
function useLeaving() {
  const isOver = useRef(false);
  useEffect(() => {
    isOver.current = false;
    return () => {
      isOver.current = true;
    };
  }, []);
  const hasLeft = () => isOver.current;
  const leave = (openNext: () => void) => {
    isOver.current = true;
    openNext();
  };
  return { hasLeft, leave };
}

/** The last step: creates the page, generates cards if there are sources, and opens it. */
export function FirstPageStep({ source, file: chosenFile, onCreated, onOpen, onStudy, onBack }: Props) {
  const [stepState, setStepState] = useState<StepState>({ state: chosenFile ? "page" : "asking" });
  const { hasLeft, leave } = useLeaving();

  const runCreation = async (createPage: () => Promise<FirstPage | undefined>) => {
    try {
      const page = await createPage();
      if (!page) return setStepState({ state: "asking" });
      await onCreated();
      setStepState({ state: "cards", page, count: 0 });
      for await (const made of generateFirstCards(page)) {
        // The student has already left; card generation continues on the server.
        if (hasLeft()) return;
        setStepState({ state: "cards", page, ...made });
      }
      if (!hasLeft()) onOpen(page);
    } catch (error) {
      logWarning("Could not create the first page", error);
      notify({ message: t("failures.other"), type: "error" });
      setStepState({ state: "asking" });
    }
  };

  const create = (createPage: () => Promise<FirstPage | undefined>) => {
    setStepState({ state: "page" });
    return runCreation(createPage);
  };
  const createFromChosenFile = useEffectEvent(() => {
    if (chosenFile) void runCreation(() => createPageFromFile(chosenFile));
  });
  // The state is set only after the upload has finished.
  // oxlint-disable-next-line react/set-state-in-effect
  useEffect(() => createFromChosenFile(), []);

  if (stepState.state === "cards")
    return (
      <GeneratingCards
        stepState={stepState}
        onOpen={(page) => leave(() => onOpen(page))}
        onStudy={(page, deckId) => leave(() => onStudy(page, deckId))}
      />
    );
  const isBusy = stepState.state === "page";
  const backButton = (
    <Button variant="quiet" size="l" disabled={isBusy} onClick={onBack}>
      {t("welcome.back")}
    </Button>
  );
  if (source === "file")
    return (
      <FileStep
        isBusy={isBusy}
        onFile={(file) => void create(() => createPageFromFile(file))}
        backButton={backButton}
      />
    );
  return (
    <NotesStep
      hasNotes={source === "notes"}
      isBusy={isBusy}
      onNotes={(title, notes) => void create(() => createPageFromNotes(title, notes))}
      backButton={backButton}
    />
  );
}

/** With this many cards, a first study session is offered. */
const MIN_CARDS = 3;

interface GeneratingProps extends Pick<Props, "onOpen" | "onStudy"> {
  stepState: Extract<StepState, { state: "cards" }>;
}

function GeneratingCards({ stepState: { page, count, deckId }, onOpen, onStudy }: GeneratingProps) {
  return (
    <div className="welcome-form">
      <p role="status">{count === 0 ? t("welcome.making_cards") : t("welcome.cards", { count })}</p>
      <Skeleton label={t("welcome.making_cards")} lines={[70, 92, 58]} height={18} />
      <div className="welcome-actions">
        {deckId !== undefined && count >= MIN_CARDS && (
          <Button variant="primary" size="l" onClick={() => onStudy(page, deckId)}>
            {t("welcome.study_now")}
          </Button>
        )}
        <Button size="l" onClick={() => onOpen(page)}>
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
  backButton: ReactNode;
}

function FileStep({ isBusy, onFile, backButton }: FileStepProps) {
  const plan = useAtomValue(userAtom)?.plan;
  const chooseFile = (files: readonly File[]) => {
    if (isBusy) return;
    const file = takeFirstFile(files);
    if (file) onFile(file);
  };
  return (
    <div className="welcome-form">
      <p className="welcome-text">
        {t("welcome.from_file_text")} {t("welcome.file_limit", { count: cardPageLimit(plan) })}
      </p>
      <UploadList />
      <DropAnywhere onFiles={chooseFile} />
      <div className="welcome-actions">
        <Button
          variant="primary"
          size="l"
          pending={isBusy}
          onClick={() => pickFiles({ onFiles: chooseFile, isSingle: true })}
        >
          {t(isBusy ? "welcome.making_page" : "welcome.choose_file")}
        </Button>
        {backButton}
      </div>
      <p className="welcome-text">{t("welcome.file_drop")}</p>
    </div>
  );
}

interface NotesStepProps {
  hasNotes: boolean;
  isBusy: boolean;
  onNotes: (title: string, notes: string) => void;
  backButton: ReactNode;
}

function NotesStep({ hasNotes, isBusy, onNotes, backButton }: NotesStepProps) {
  const [title, setTitle] = useState("");
  const [notes, setNotes] = useState("");
  const [error, setError] = useState<string>();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isBusy) return;
    const isMissing = hasNotes && notes.trim() === "";
    setError(isMissing ? t("welcome.notes_missing") : undefined);
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
          error={error}
          value={notes}
          onChange={(event) => {
            setNotes(event.target.value);
            setError(undefined);
          }}
        />
      )}
      <div className="welcome-actions">
        <Button type="submit" variant="primary" size="l" pending={isBusy}>
          {t(isBusy ? "welcome.making_page" : "welcome.make")}
        </Button>
        {backButton}
      </div>
    </form>
  );
}
