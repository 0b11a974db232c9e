import { useAtomValue } from "jotai/react";
import { FilePlus2, NotebookPen, Upload } from "lucide-react";
import { useId } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { userAtom } from "#webapp/app/session/session.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { adoptedPagesAtom } from "#webapp/flashcards/pending/adopted-pages.ts";
import { DropAnywhere } from "#webapp/uploads/parts/drop-anywhere.tsx";
import { pickFiles } from "#webapp/uploads/parts/pick-files.ts";
import { cardPageLimit } from "../../first-page.ts";
import type { FirstPageSource } from "./first-page-step.tsx";
import { takeFirstFile } from "./take-first-file.ts";

interface Props {
  includesSample: boolean;
  onSample: (includesSample: boolean) => void;
  onChoice: (choice: { source: FirstPageSource; file?: File }) => void;
}

/** The choice of the source for the first page. A file can be dropped anywhere. */
export function FirstPageChoice({ includesSample, onSample, onChoice }: Props) {
  const id = useId();
  const plan = useAtomValue(userAtom)?.plan;
  // Pages that were brought along come first.
  const hasAdopted = useAtomValue(adoptedPagesAtom).length > 0;
  // Nothing can be dropped with a finger.
  const isTouch = useMediaQuery("(pointer: coarse)");
  const chooseFile = (files: readonly File[]) => {
    const file = takeFirstFile(files);
    if (file) onChoice({ source: "file", file });
  };
  return (
    <div className="welcome-form">
      <DropAnywhere onFiles={chooseFile} />
      <div className="welcome-drop">
        <Upload aria-hidden />
        <p>{t(isTouch ? "welcome.add_here" : "welcome.drop_here")}</p>
        <Button
          variant={hasAdopted ? "secondary" : "primary"}
          size="l"
          onClick={() => pickFiles({ onFiles: chooseFile, isSingle: true })}
        >
          {t("welcome.choose_file")}
        </Button>
        <small>
          {t("welcome.from_file_text")} {t("welcome.file_limit", { count: cardPageLimit(plan) })}
        </small>
      </div>
      <div className="welcome-others">
        <Button
          size="l"
          icon={<NotebookPen aria-hidden />}
          aria-describedby={`${id}-notes`}
          onClick={() => onChoice({ source: "notes" })}
        >
          {t("welcome.from_notes")}
        </Button>
        <Button
          size="l"
          icon={<FilePlus2 aria-hidden />}
          aria-describedby={`${id}-page`}
          onClick={() => onChoice({ source: "page" })}
        >
          {t("welcome.from_nothing")}
        </Button>
        <small id={`${id}-notes`}>{t("welcome.from_notes_text")}</small>
        <small id={`${id}-page`}>{t("welcome.from_nothing_text")}</small>
      </div>
      <div>
        <Checkbox
          label={t("welcome.sample")}
          checked={includesSample}
          aria-describedby={`${id}-sample`}
          onValue={onSample}
        />
        <p className="welcome-note" id={`${id}-sample`}>
          {t("welcome.sample_text")}
        </p>
      </div>
    </div>
  );
}
