import { useAtom, useAtomValue } from "jotai/react";
import { useState, type KeyboardEvent, type ReactNode } from "react";
import { formatTimeToReset } from "#shared/billing/rules.ts";
import { t } from "#shared/messages/translate.ts";
import { depthLimits } from "#shared/research/rules.ts";
import type { ResearchDepth, SearchSource, SearchSourceState } from "#shared/research/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Switch } from "#shared/ui/controls/checkbox.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { formatTime } from "#webapp/app/format/format-date.ts";
import { useNow } from "#webapp/app/hooks/use-now.ts";
import { ListLoadError } from "#webapp/ui/list-load-error.tsx";
import {
  depthAtom,
  loadSearchSources,
  mayQuoteLibraryAtom,
  researchLeftAtom,
  searchSourcesAtom,
  searchSourcesFailedAtom,
  showsUnsupportedAtom,
  switchedOffAtom,
  writingModelAtom,
} from "../state.ts";

const depths: readonly ResearchDepth[] = ["quick", "standard", "deep"];

export function DepthChoice() {
  const [depth, setDepth] = useAtom(depthAtom);
  const options = depths.map((value) => ({ value, label: t(`research.depth_${value}`) }));
  return <Segmented label={t("research.depth")} labelShown value={depth} options={options} onValue={setDepth} />;
}

function stateText({ name, state, retryAt, problem, silentEngines = [] }: SearchSourceState): string {
  if (name === "library") return t("research.source_always");
  if (state === "limited" && retryAt !== null) return t("research.source_limited", { time: formatTime(retryAt) });
  if (state === "failed") return problem === null ? t("research.source_failed") : t(`research.problem_${problem}`);
  if (state === "not_configured") return t("research.source_not_configured");
  if (silentEngines.length > 0) return t("research.silent_engines", { engines: silentEngines.join(", ") });
  return "";
}

/** A switch for each search source; the library is always on. */
export function SourceSwitches() {
  const sources = useAtomValue(searchSourcesAtom);
  const hasFailed = useAtomValue(searchSourcesFailedAtom);
  const [off, setOff] = useAtom(switchedOffAtom);
  const toggle = (name: SearchSource, isOn: boolean) =>
    setOff(isOn ? off.filter((source) => source !== name) : [...off, name]);
  return (
    <fieldset className="research-switches">
      <legend>{t("research.look_in")}</legend>
      {hasFailed && (
        <ListLoadError
          className="research-sources-failed"
          message={t("research.sources_failed")}
          onRetry={() => void loadSearchSources()}
        />
      )}
      {sources.map((source) => {
        const { name, state } = source;
        const isFixed = name === "library" || state === "not_configured";
        return (
          <Switch
            key={name}
            checked={name === "library" || (state !== "not_configured" && !off.includes(name))}
            disabled={isFixed}
            onValue={(isOn) => toggle(name, isOn)}
            label={
              <>
                {t(`research.source_${name}`)} <small className="research-source-state">{stateText(source)}</small>
              </>
            }
          />
        );
      })}
    </fieldset>
  );
}

/**
 * Switches for quoting the library in queries and for unsupported sentences. Each is shown only if it has an effect.
 */
export function ResearchOptions() {
  const sources = useAtomValue(searchSourcesAtom);
  const off = useAtomValue(switchedOffAtom);
  const model = useAtomValue(writingModelAtom);
  const [mayQuote, setMayQuote] = useAtom(mayQuoteLibraryAtom);
  const [showsUnsupported, setShowsUnsupported] = useAtom(showsUnsupportedAtom);
  const searchesElsewhere = sources.some(
    ({ name, state }) => name !== "library" && state !== "not_configured" && !off.includes(name),
  );
  if (!searchesElsewhere && model === null) return null;
  return (
    <fieldset className="research-switches">
      <legend>{t("research.options")}</legend>
      {searchesElsewhere && <Switch checked={mayQuote} onValue={setMayQuote} label={t("research.may_quote_library")} />}
      {model !== null && (
        <Switch checked={showsUnsupported} onValue={setShowsUnsupported} label={t("research.show_unsupported")} />
      )}
    </fieldset>
  );
}

/** The cost of a question: the limits of the chosen depth, and the number of questions left. */
export function QuestionCost() {
  const depth = useAtomValue(depthAtom);
  const left = useAtomValue(researchLeftAtom);
  const now = useNow();
  const model = useAtomValue(writingModelAtom);
  const { minutes, pages: sources, tokens } = depthLimits[depth];
  const written = model === null ? "" : t("research.cost_model", { model, tokens });
  const remaining =
    left === null || !Number.isFinite(left)
      ? ""
      : left === 0
        ? t("research.none_left", { time: formatTimeToReset(now) })
        : t("research.left", { count: left });
  return (
    <p className="research-cost">
      {t("research.cost", { minutes, sources })} {written} {remaining}
    </p>
  );
}

/** What a question costs, with its depth and sources folded below. */
export function FoldedChoices() {
  return (
    <>
      <QuestionCost />
      <details className="research-options">
        <summary>{t("research.follow_up_options")}</summary>
        <DepthChoice />
        <SourceSwitches />
        <ResearchOptions />
      </details>
    </>
  );
}

interface Props {
  label: string;
  placeholder: string;
  button: string;
  isPending: boolean;
  /** The text of the field at first, such as a question that was refused. */
  initialText: string;
  onSend: (text: string) => void;
  rows?: number;
  isPrimary?: boolean;
  /** Choices for the question, before its button. */
  children?: ReactNode;
}

/** Enter sends the question; Shift and Enter starts a new line. */
export function QuestionForm({
  label,
  placeholder,
  button,
  isPending,
  initialText,
  onSend,
  rows = 1,
  isPrimary = false,
  children,
}: Props) {
  const [text, setText] = useState(initialText);
  const send = () => {
    const question = text.trim();
    if (question === "" || isPending) return;
    onSend(question);
    setText("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="research-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <TextArea
        label={label}
        labelHidden={!isPrimary}
        rows={rows}
        placeholder={placeholder}
        value={text}
        maxLength={16_000}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {children}
      <Button type="submit" variant={isPrimary ? "primary" : "secondary"} pending={isPending}>
        {isPending ? t("research.starting") : button}
      </Button>
    </form>
  );
}
