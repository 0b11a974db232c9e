import { useState } from "react";
import type { Density } from "#shared/flashcards/schema.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { usePageDoor, type PageSource } from "#webapp/pages/page-door.tsx";
import { makeCards } from "../state.ts";
import { ByHand, ListOfPage } from "./by-hand.tsx";
import { askFor, firstWish, othersOf, type Problem, titleOf, type Wish } from "./maker-wish.ts";
import "./maker-dialog.css";

const densities = ["AUTO", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"] as const satisfies readonly Density[];

interface FieldsProps {
  wish: Wish;
  sources: readonly PageSource[];
  problem: Problem | undefined;
  onWish: (change: Partial<Wish>) => void;
}

function SourceFields({ wish, sources, problem, onWish }: FieldsProps) {
  const messageFor = (field: Problem["field"]) => (problem?.field === field ? problem.message : undefined);
  if (wish.from === "paste")
    return (
      <TextArea
        label={t("flashcards.maker_text")}
        hint={t("flashcards.maker_text_hint")}
        error={messageFor("text")}
        rows={3}
        value={wish.text}
        onChange={(event) => onWish({ text: event.target.value })}
      />
    );
  if (wish.from === "page" || sources.length === 0)
    return problem?.field === "source" ? (
      <p className="maker-problem" role="alert">
        {problem.message}
      </p>
    ) : null;
  const kind = sources.find((each) => each.componentId === wish.componentId)?.kind;
  return (
    <>
      <Select
        label={t("flashcards.maker_which")}
        value={wish.componentId}
        options={sources.map(({ componentId, name }) => ({ value: componentId, label: name }))}
        onValue={(componentId) => onWish({ componentId })}
      />
      {kind === "document" && (
        <div className="maker-range">
          <TextField
            label={t("flashcards.maker_from")}
            placeholder="1"
            error={messageFor("range")}
            inputMode="numeric"
            value={wish.startPage}
            onChange={(event) => onWish({ startPage: event.target.value })}
          />
          <TextField
            label={t("flashcards.maker_to")}
            placeholder={t("flashcards.maker_to_end")}
            inputMode="numeric"
            value={wish.endPage}
            onChange={(event) => onWish({ endPage: event.target.value })}
          />
        </div>
      )}
    </>
  );
}

function DensityField({ value, onValue }: { value: Density; onValue: (value: Density) => void }) {
  return (
    <fieldset className="maker-density">
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
          <span>{t(`flashcards.maker_${density}`)}</span>
          <span className="maker-density-count">{t(`flashcards.maker_count_${density}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** More sources from the page for the same deck. */
function OtherSources({ wish, others, onWish }: Pick<FieldsProps, "wish" | "onWish"> & { others: PageSource[] }) {
  if (others.length === 0) return null;
  const choose = (id: string, isChosen: boolean) =>
    onWish({ also: isChosen ? [...wish.also, id] : wish.also.filter((other) => other !== id) });
  return (
    <fieldset className="maker-also">
      <legend>{t("flashcards.maker_also")}</legend>
      <div className="maker-also-list">
        {others.map(({ componentId, name }) => (
          <Checkbox
            key={componentId}
            label={name}
            checked={wish.also.includes(componentId)}
            onValue={(isChosen) => choose(componentId, isChosen)}
          />
        ))}
      </div>
    </fieldset>
  );
}

function WishFields({ wish, sources, others, problem, onWish }: FieldsProps & { others: PageSource[] }) {
  return (
    <>
      <Segmented
        label={t("flashcards.maker_source")}
        labelShown
        value={wish.from}
        options={[
          { value: "file", label: t("flashcards.maker_file") },
          { value: "page", label: t("flashcards.maker_page") },
          { value: "paste", label: t("flashcards.maker_paste") },
        ]}
        onValue={(from) => onWish({ from })}
      />
      <SourceFields wish={wish} sources={sources} problem={problem} onWish={onWish} />
      <OtherSources wish={wish} others={others} onWish={onWish} />
      <DensityField value={wish.density} onValue={(density) => onWish({ density })} />
      <Checkbox label={t("making.both_ways")} checked={wish.reversed} onValue={(reversed) => onWish({ reversed })} />
      <TextField
        label={t("flashcards.maker_wishes")}
        hint={t("flashcards.maker_wishes_hint")}
        maxLength={4000}
        value={wish.instructions}
        onChange={(event) => onWish({ instructions: event.target.value })}
      />
      <TextField
        label={t("flashcards.maker_language")}
        placeholder={t("flashcards.maker_language_as_is")}
        maxLength={60}
        value={wish.language}
        onChange={(event) => onWish({ language: event.target.value })}
      />
    </>
  );
}

interface Props {
  /** The file from whose menu the dialog was opened, if any. */
  chosen: string | undefined;
  onClose: () => void;
}

/** Options for card generation; its progress is shown in the deck. */
export function MakerDialog(props: Props) {
  const [isListing, setListing] = useState(false);
  return isListing ? <ListOfPage onClose={props.onClose} /> : <Maker {...props} onList={() => setListing(true)} />;
}

function Maker({ chosen, onClose, onList }: Props & { onList: () => void }) {
  const door = usePageDoor();
  const [sources] = useState(() => door.sources());
  const [pageText] = useState(() => door.text());
  const [wish, setWish] = useState(() => firstWish(sources, chosen));
  const [problem, setProblem] = useState<Problem>();
  const [failure, setFailure] = useState<string>();
  const [pending, setPending] = useState(false);

  const start = async () => {
    const asked = askFor(wish, door);
    if ("problem" in asked) return setProblem(asked.problem);
    setPending(true);
    setFailure(undefined);
    try {
      const componentId = await door.addDeck(titleOf(wish, sources));
      onClose();
      void makeCards(door, componentId, asked.request);
    } catch (error) {
      setFailure(friendlyFailure(error, "flashcards")?.message);
      setPending(false);
    }
    return undefined;
  };
  const onWish = (change: Partial<Wish>) => {
    setWish((now) => ({ ...now, ...change }));
    setProblem(undefined);
  };
  const footer = (
    <>
      <Button onClick={onClose}>{t("common.cancel")}</Button>
      <Button variant="primary" pending={pending} onClick={() => void start()}>
        {t("flashcards.maker_start")}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      title={t("flashcards.maker_title")}
      onClose={onClose}
      closeLabel={t("common.close")}
      closeOnBackdrop={false}
      footer={footer}
    >
      <div className="maker">
        <WishFields {...{ wish, sources, problem, onWish }} others={othersOf(wish, sources, pageText)} />
        <ByHand onList={onList} onClose={onClose} />
        {failure !== undefined && (
          <p className="maker-problem" role="alert">
            {failure}
          </p>
        )}
      </div>
    </Dialog>
  );
}
