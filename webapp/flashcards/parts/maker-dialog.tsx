import { useState } from "react";
import type { Density } from "#shared/flashcards/schema.ts";
import { friendlyFailure } from "#shared/client/failures.ts";
import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/button.tsx";
import { Checkbox } from "#shared/ui/checkbox.tsx";
import { Dialog } from "#shared/ui/dialog.tsx";
import { Segmented } from "#shared/ui/segmented.tsx";
import { Select } from "#shared/ui/select.tsx";
import { TextArea } from "#shared/ui/text-area.tsx";
import { TextField } from "#shared/ui/text-field.tsx";
import { usePageDoor, type PageDoor, type PageSource } from "#webapp/kit/page-door.tsx";
import { makeCards, type CardRequest } from "../state.ts";
import { ByHand, ListOfPage } from "./by-hand.tsx";
import "./maker-dialog.css";

const densities = ["AUTO", "LOW", "MEDIUM", "HIGH", "VERY_HIGH"] as const satisfies readonly Density[];

interface Wish {
  from: "file" | "page" | "paste";
  componentId: string;
  startPage: string;
  endPage: string;
  text: string;
  density: Density;
  instructions: string;
  reversed: boolean;
}

const firstWish = (sources: readonly PageSource[], chosen: string | undefined): Wish => ({
  from: sources.length > 0 ? "file" : "paste",
  componentId: chosen ?? sources[0]?.componentId ?? "",
  startPage: "",
  endPage: "",
  text: "",
  density: "AUTO",
  instructions: "",
  reversed: false,
});

const pageNumber = (text: string): number | undefined => {
  const page = Number.parseInt(text, 10);
  return Number.isSafeInteger(page) && page >= 1 ? page : undefined;
};

interface Problem {
  field: "source" | "text" | "range";
  message: string;
}

type Asked = { request: CardRequest } | { problem: Problem };

function askOfFile(wish: Wish, options: CardRequest["options"]): Asked {
  const [startPage, endPage] = [pageNumber(wish.startPage), pageNumber(wish.endPage)];
  if (!wish.componentId) return { problem: { field: "source", message: t("flashcards.maker_no_file") } };
  if (startPage !== undefined && endPage !== undefined && startPage > endPage)
    return { problem: { field: "range", message: t("flashcards.maker_range_bad") } };
  const range = { ...(startPage ? { startPage } : {}), ...(endPage ? { endPage } : {}) };
  return { request: { pdfComponents: [{ componentId: wish.componentId, ...range }], options } };
}

/** What will be asked for, or what is missing for it. */
function askFor(wish: Wish, door: PageDoor): Asked {
  const customInstructions = wish.instructions.trim();
  const options = {
    density: wish.density,
    ...(customInstructions ? { customInstructions } : {}),
    ...(wish.reversed ? { reversed: true } : {}),
  };
  const isVideo = door.sources().some((source) => source.componentId === wish.componentId && source.isVideo === true);
  if (wish.from === "file" && isVideo)
    return { request: { videoComponents: [{ componentId: wish.componentId }], options } };
  if (wish.from === "file") return askOfFile(wish, options);
  const isPage = wish.from === "page";
  const text = (isPage ? door.text() : wish.text).trim();
  // What is written on the page is cited there, under the page's own id; a pasted text stands nowhere.
  const source = isPage ? { text, pageId: door.pageId, componentId: door.pageId } : text;
  if (text !== "") return { request: { texts: [source], options } };
  const message = t(isPage ? "flashcards.maker_page_empty" : "flashcards.maker_text_empty");
  return { problem: { field: isPage ? "source" : "text", message } };
}

const titleOf = (wish: Wish, sources: readonly PageSource[]) => {
  const name = wish.from === "file" && sources.find((each) => each.componentId === wish.componentId)?.name;
  return name ? name.replace(/\.[a-z0-9]{1,8}$/i, "") : t("flashcards.untitled");
};

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
  const isVideo = sources.some((each) => each.componentId === wish.componentId && each.isVideo === true);
  return (
    <>
      <Select
        label={t("flashcards.maker_which")}
        value={wish.componentId}
        options={sources.map(({ componentId, name }) => ({ value: componentId, label: name }))}
        onValue={(componentId) => onWish({ componentId })}
      />
      {!isVideo && (
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

function WishFields({ wish, sources, problem, onWish }: FieldsProps) {
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
      <DensityField value={wish.density} onValue={(density) => onWish({ density })} />
      <Checkbox label={t("making.both_ways")} checked={wish.reversed} onValue={(reversed) => onWish({ reversed })} />
      <TextField
        label={t("flashcards.maker_wishes")}
        hint={t("flashcards.maker_wishes_hint")}
        maxLength={4000}
        value={wish.instructions}
        onChange={(event) => onWish({ instructions: event.target.value })}
      />
    </>
  );
}

interface Props {
  /** The file it was asked for from, where it was. */
  chosen: string | undefined;
  onClose: () => void;
}

/** From what, how many, and what matters; the making itself is seen in the deck. */
export function MakerDialog(props: Props) {
  const [isListing, setListing] = useState(false);
  return isListing ? <ListOfPage onClose={props.onClose} /> : <Maker {...props} onList={() => setListing(true)} />;
}

function Maker({ chosen, onClose, onList }: Props & { onList: () => void }) {
  const door = usePageDoor();
  const [sources] = useState(() => door.sources());
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
        <WishFields wish={wish} sources={sources} problem={problem} onWish={onWish} />
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
