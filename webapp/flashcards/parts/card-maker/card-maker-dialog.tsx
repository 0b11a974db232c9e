import { useId, useState } from "react";
import type { Density } from "#shared/flashcards/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { Dialog, focusInDialog } from "#shared/ui/overlays/dialog.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { openPlanModal } from "#webapp/app/overlays.ts";
import { usePagePort, type PageSource } from "#webapp/pages/page-port.tsx";
import { ManualCards, PageListDialog } from "./manual-cards.tsx";
import {
  buildRequest,
  createDefaultOptions,
  listOtherSources,
  type FormProblem,
  chooseDeckTitle,
  type CardMakerOptions,
  type PageLimit,
} from "./card-maker-options.ts";
import { useChosenPages } from "./use-chosen-pages.ts";
import { useNewDeck } from "./use-new-deck.ts";
import "./card-maker-dialog.css";

const densities = ["AUTO", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"] as const satisfies readonly Density[];

interface OptionFieldsProps {
  options: CardMakerOptions;
  sources: readonly PageSource[];
  problem: FormProblem | undefined;
  pageCount: number | undefined;
  pageLimit: PageLimit | undefined;
  onOptions: (change: Partial<CardMakerOptions>) => void;
}

function SourceFields({ options, sources, problem, pageCount, pageLimit, onOptions }: OptionFieldsProps) {
  const messageFor = (field: FormProblem["field"]) => (problem?.field === field ? problem.message : undefined);
  if (options.from === "paste")
    return (
      <TextArea
        label={t("flashcards.maker_text")}
        hint={t("flashcards.maker_text_hint")}
        error={messageFor("text")}
        rows={3}
        value={options.text}
        onChange={(event) => onOptions({ text: event.target.value })}
      />
    );
  if (options.from === "page" || sources.length === 0)
    return problem?.field === "source" ? (
      <p className="maker-problem" role="alert">
        {problem.message}
      </p>
    ) : null;
  const kind = sources.find(({ componentId }) => componentId === options.componentId)?.kind;
  return (
    <>
      <Select
        label={t("flashcards.maker_which")}
        value={options.componentId}
        error={messageFor("source")}
        options={sources.map(({ componentId, title }) => ({ value: componentId, label: title }))}
        onValue={(componentId) => onOptions({ componentId, startPage: "", endPage: "" })}
      />
      {pageLimit && (
        <p className="maker-limit">
          {t("flashcards.maker_limit", { count: pageLimit.pageCount, limit: pageLimit.limit })}{" "}
          <Button variant="quiet" onClick={() => openPlanModal(null, "pdfToFlashcardsPages")}>
            {t("study.limit_plans")}
          </Button>
        </p>
      )}
      {kind === "document" && (
        <div className="maker-range">
          <TextField
            label={t("flashcards.maker_from")}
            placeholder="1"
            error={messageFor("range")}
            inputMode="numeric"
            value={options.startPage}
            onChange={(event) => onOptions({ startPage: event.target.value })}
          />
          <TextField
            label={t("flashcards.maker_to")}
            placeholder={pageCount === undefined ? t("flashcards.maker_to_end") : String(pageCount)}
            inputMode="numeric"
            value={options.endPage}
            onChange={(event) => onOptions({ endPage: event.target.value })}
          />
        </div>
      )}
    </>
  );
}

function DensityField({ value, onValue }: { value: Density; onValue: (value: Density) => void }) {
  const noteId = useId();
  return (
    <fieldset className="maker-density" aria-describedby={noteId}>
      <legend>{t("flashcards.maker_density")}</legend>
      {densities.map((density) => (
        <label key={density} className="maker-density-option">
          <input
            type="radio"
            name="density"
            value={density}
            checked={density === value}
            onChange={() => onValue(density)}
          />
          <span className="maker-density-name">
            {t(`flashcards.maker_${density}`)}
            <span className="maker-density-about">{t(`flashcards.maker_about_${density}`)}</span>
          </span>
          <span className="maker-density-count">{t(`flashcards.maker_count_${density}`)}</span>
        </label>
      ))}
      <p id={noteId} className="maker-density-note">
        {t("flashcards.maker_density_note")}
      </p>
    </fieldset>
  );
}

/** More sources from the page for the same deck. */
function OtherSources({ options, others, onOptions }: MoreFieldsProps) {
  if (others.length === 0) return null;
  const choose = (id: string, isChosen: boolean) =>
    onOptions({
      additionalSources: isChosen
        ? [...options.additionalSources, id]
        : options.additionalSources.filter((other) => other !== id),
    });
  return (
    <fieldset className="maker-also">
      <legend>{t("flashcards.maker_also")}</legend>
      <div className="maker-also-list">
        {others.map(({ componentId, name }) => (
          <Checkbox
            key={componentId}
            label={name}
            checked={options.additionalSources.includes(componentId)}
            onValue={(isChosen) => choose(componentId, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function OptionFields({ others, ...fields }: OptionFieldsProps & { others: PageSource[] }) {
  const { options, onOptions } = fields;
  return (
    <>
      <Segmented
        label={t("flashcards.maker_source")}
        labelShown
        value={options.from}
        options={[
          { value: "file", label: t("flashcards.maker_file") },
          { value: "page", label: t("flashcards.maker_page") },
          { value: "paste", label: t("flashcards.maker_paste") },
        ]}
        onValue={(from) => onOptions({ from })}
      />
      <SourceFields {...fields} />
      <DensityField value={options.density} onValue={(density) => onOptions({ density })} />
      <MoreFields {...{ options, others, onOptions }} />
    </>
  );
}

type MoreFieldsProps = Pick<OptionFieldsProps, "options" | "onOptions"> & { others: PageSource[] };

/** Options that most decks do not need, collapsed at first. */
function MoreFields({ options, others, onOptions }: MoreFieldsProps) {
  return (
    <details className="maker-more">
      <summary>{t("flashcards.maker_more")}</summary>
      <OtherSources options={options} others={others} onOptions={onOptions} />
      <Checkbox
        label={t("cardDialogs.both_directions")}
        checked={options.reversed}
        onValue={(reversed) => onOptions({ reversed })}
      />
      <TextField
        label={t("flashcards.maker_focus")}
        hint={t("flashcards.maker_focus_hint")}
        maxLength={4000}
        value={options.instructions}
        onChange={(event) => onOptions({ instructions: event.target.value })}
      />
      <TextField
        label={t("flashcards.maker_language")}
        placeholder={t("flashcards.maker_language_as_is")}
        maxLength={60}
        value={options.language}
        onChange={(event) => onOptions({ language: event.target.value })}
      />
    </details>
  );
}

interface Props {
  /** The file that is preselected, if any. */
  chosen: string | undefined;
  onClose: () => void;
}

/** The options for generating cards. The deck shows the progress. */
export function CardMakerDialog(props: Props) {
  const [isListOpen, setListOpen] = useState(false);
  return isListOpen ? (
    <PageListDialog onClose={props.onClose} />
  ) : (
    <CardMakerForm {...props} onList={() => setListOpen(true)} />
  );
}

function CardMakerForm({ chosen, onClose, onList }: Props & { onList: () => void }) {
  const pagePort = usePagePort();
  const [sources] = useState(() => pagePort.listSources());
  const [pageText] = useState(() => pagePort.getText());
  const [options, setOptions] = useState(() => createDefaultOptions(sources, chosen));
  const [problem, setProblem] = useState<FormProblem>();
  const { failure, pending, addDeck, stop } = useNewDeck(onClose);
  const cancel = () => {
    stop();
    onClose();
  };
  const openList = () => {
    stop();
    onList();
  };

  const onOptions = (change: Partial<CardMakerOptions>) => {
    setOptions((current) => ({ ...current, ...change }));
    setProblem(undefined);
  };
  const { pageCount, pageLimit } = useChosenPages(options, sources, onOptions);

  const start = () => {
    const result = buildRequest(options, pagePort, pageLimit);
    if ("problem" in result) setProblem(result.problem);
    else void addDeck(chooseDeckTitle(options, sources), result.request);
  };
  const footer = (
    <>
      <Button onClick={cancel}>{t("common.cancel")}</Button>
      <Button ref={focusInDialog} variant="primary" pending={pending} onClick={start}>
        {t("flashcards.maker_start")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      title={t("flashcards.maker_title")}
      onClose={cancel}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
      footer={footer}
    >
      <div className="maker">
        <OptionFields
          {...{ options, sources, problem, pageCount, pageLimit, onOptions }}
          others={listOtherSources(options, sources, pageText)}
        />
        <ManualCards onList={openList} onClose={cancel} />
        {failure !== undefined && (
          <p className="maker-problem" role="alert">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  );
}
