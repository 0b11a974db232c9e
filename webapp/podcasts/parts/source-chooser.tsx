import { Telescope } from "lucide-react";
import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { MAX_SOURCES } from "#shared/podcasts/rules.ts";
import type { PodcastSourceType } from "#shared/podcasts/schema.ts";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { LibraryItemIcon } from "#webapp/ui/sidebar/library-item-icon.tsx";
import type { ChosenSource } from "../creation.ts";

export interface SourceChoice {
  id: string;
  type: PodcastSourceType;
  title: string;
  changedAt: number;
}

interface Props {
  choices: readonly SourceChoice[];
  chosen: readonly ChosenSource[];
  onChoose: (sources: readonly ChosenSource[]) => void;
  error: string | undefined;
}

const MAX_SHOWN = 60;
/** Up to this number of sources, there is no search field. */
const MAX_WITHOUT_SEARCH = 6;

export function SourceChooser({ choices, chosen, onChoose, error }: Props) {
  const [words, setWords] = useState("");
  const needle = words.trim().toLocaleLowerCase();
  const isChosen = ({ id }: SourceChoice) => chosen.some((source) => source.id === id);
  const shown = choices
    .filter((choice) => isChosen(choice) || choice.title.toLocaleLowerCase().includes(needle))
    .toSorted((a, b) => Number(isChosen(b)) - Number(isChosen(a)))
    .slice(0, MAX_SHOWN);
  const toggle = ({ id, type }: SourceChoice, isOn: boolean) =>
    onChoose(isOn ? [...chosen, { id, type }] : chosen.filter((source) => source.id !== id));
  return (
    <fieldset className="podcast-sources" aria-describedby={error === undefined ? undefined : "podcast-sources-error"}>
      <legend>
        {t("podcasts.sources")} <span className="podcast-hint">{t("podcasts.sources_hint")}</span>
      </legend>
      {choices.length > MAX_WITHOUT_SEARCH && (
        <TextField
          label={t("podcasts.sources_search")}
          labelHidden
          type="search"
          placeholder={t("podcasts.sources_search")}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      {shown.length === 0 && (
        <p className="podcast-hint">{t(choices.length === 0 ? "podcasts.sources_none" : "podcasts.sources_nothing")}</p>
      )}
      <ul role="list" className="podcast-source-list">
        {shown.map((choice) => (
          <li key={choice.id}>
            <Checkbox
              label={
                <span className="podcast-source">
                  {choice.type === "research" ? (
                    <Telescope aria-hidden />
                  ) : (
                    <LibraryItemIcon kind={choice.type} emoji={null} />
                  )}
                  {choice.title || t("common.untitled")}
                </span>
              }
              checked={isChosen(choice)}
              disabled={!isChosen(choice) && chosen.length >= MAX_SOURCES}
              onValue={(isOn) => toggle(choice, isOn)}
            />
          </li>
        ))}
      </ul>
      {error !== undefined && (
        <p id="podcast-sources-error" role="alert" className="podcast-error">
          {error}
        </p>
      )}
    </fieldset>
  );
}
