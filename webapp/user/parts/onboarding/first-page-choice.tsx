import { useId, type SyntheticEvent } from "react";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import type { FirstPageSource } from "./first-page-step.tsx";

interface Props {
  source: FirstPageSource;
  hasSample: boolean;
  onSource: (source: FirstPageSource) => void;
  onSample: (hasSample: boolean) => void;
  onBack: () => void;
  onDone: () => void;
}

const sourceOptions = [
  { source: "notes", name: "welcome.from_notes", text: "welcome.from_notes_text" },
  { source: "file", name: "welcome.from_file", text: "welcome.from_file_text" },
  { source: "page", name: "welcome.from_nothing", text: "welcome.from_nothing_text" },
] as const;

/** Second step: what to create the first page from. */
export function FirstPageChoice({ source, hasSample, onSource, onSample, onBack, onDone }: Props) {
  const name = useId();
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    onDone();
  };
  return (
    <form className="welcome-form" onSubmit={submit}>
      <fieldset className="welcome-choices">
        <legend className="visually-hidden">{t("welcome.what_title")}</legend>
        {sourceOptions.map((option) => (
          <label key={option.source} className="welcome-choice">
            <input
              type="radio"
              name={name}
              checked={source === option.source}
              aria-label={t(option.name)}
              aria-describedby={`${name}-${option.source}`}
              onChange={() => onSource(option.source)}
            />
            <span>
              <strong>{t(option.name)}</strong>
              <small id={`${name}-${option.source}`}>{t(option.text)}</small>
            </span>
          </label>
        ))}
      </fieldset>
      <div>
        <Checkbox
          label={t("welcome.sample")}
          checked={hasSample}
          aria-describedby={`${name}-sample`}
          onValue={onSample}
        />
        <p className="welcome-note" id={`${name}-sample`}>
          {t("welcome.sample_text")}
        </p>
      </div>
      <div className="welcome-actions">
        <Button type="submit" variant="primary" size="l">
          {t("welcome.go_on")}
        </Button>
        <Button variant="quiet" size="l" onClick={onBack}>
          {t("welcome.back")}
        </Button>
      </div>
    </form>
  );
}
