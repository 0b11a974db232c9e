import { useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import type { SiteSource } from "#shared/website/schema.ts";
import { ListLoadError } from "#webapp/ui/list-load-error.tsx";
import { loadSources, type Sources } from "../state.ts";

const MAX_CHOSEN = 20;
const MIN_SEARCHABLE = 8;

interface Props {
  sources: Sources;
  chosen: readonly string[];
  onChosen: (ids: string[]) => void;
}

/** Lets the student choose from their own pages, decks, files and videos. */
export function SourcePicker({ sources, chosen, onChosen }: Props) {
  if (sources.state === "loading") return <Skeleton label={t("common.loading")} lines={[100, 100, 100]} height={28} />;
  if (sources.state !== "ready")
    return (
      <ListLoadError
        className="website-load-failed"
        message={t("website.sources_failed")}
        onRetry={() => void loadSources()}
      />
    );
  if (sources.sources.length === 0) return <p className="website-note">{t("website.sources_none")}</p>;
  return <SourceChoices sources={sources.sources} chosen={chosen} onChosen={onChosen} />;
}

interface ChoicesProps extends Omit<Props, "sources"> {
  sources: readonly SiteSource[];
}

function SourceChoices({ sources, chosen, onChosen }: ChoicesProps) {
  const [words, setWords] = useState("");
  const shown = sources.filter(({ title }) => title.toLowerCase().includes(words.trim().toLowerCase()));
  const toggle = (id: string) =>
    onChosen(chosen.includes(id) ? chosen.filter((chosenId) => chosenId !== id) : [...chosen, id].slice(0, MAX_CHOSEN));
  return (
    <fieldset className="website-sources">
      <legend className="field-label">{t("website.sources")}</legend>
      {sources.length >= MIN_SEARCHABLE && (
        <TextField
          label={t("website.sources_search")}
          labelHidden
          type="search"
          placeholder={t("website.sources_search")}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      <ul role="list" tabIndex={-1}>
        {shown.map(({ id, title, kind }) => (
          <li key={id}>
            <Checkbox label={title || t("common.untitled")} checked={chosen.includes(id)} onValue={() => toggle(id)} />
            <span className="website-kind">{t(`website.source_${kind}`)}</span>
          </li>
        ))}
      </ul>
      <p className="website-note" aria-live="polite">
        {t("website.sources_chosen", { count: chosen.length })}
      </p>
    </fieldset>
  );
}
