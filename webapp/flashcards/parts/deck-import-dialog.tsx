import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useMemo, useRef, useState } from "react";
import type { AnkiImportReport } from "#shared/flashcards/interchange-contract.ts";
import { readTextDeck } from "#shared/flashcards/text-decks.ts";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import {
  editCards,
  clearDeckImport,
  createCard,
  deckImportAtom,
  importPackage,
  type OpenDeck,
} from "../deck/deck-state.ts";

const isPackage = (name: string) => /\.(?:apkg|colpkg|anki2|anki21)$/i.test(name);
const MAX_TEXT_BYTES = 20 * 1024 * 1024;

/** Imports cards: an Anki package with all its decks into the page, or text into this deck. */
export function DeckImportDialog({ deck, onClose }: { deck: OpenDeck; onClose: () => void }) {
  const importing = useAtomValue(deckImportAtom);
  const close = () => {
    if (importing.state === "running") importing.stop();
    clearDeckImport();
    onClose();
  };
  return (
    <Dialog open title={t("flashcards.import")} closeLabel={t("common.close")} onClose={close} closeOnBackdrop={false}>
      <div className="import-dialog">
        {importing.state === "running" && (
          <>
            <Progress label={t("flashcards.importing")} value={importing.done} max={Math.max(1, importing.total)} />
            <p role="status">{t("flashcards.import_progress", { done: importing.done, total: importing.total })}</p>
            <Button onClick={importing.stop}>{t("flashcards.stop")}</Button>
          </>
        )}
        {importing.state === "failed" && <p role="alert">{importing.message}</p>}
        {importing.state === "done" && <ImportSummary report={importing.report} />}
        {(importing.state === "idle" || importing.state === "failed") && <ImportForm deck={deck} onDone={onClose} />}
      </div>
    </Dialog>
  );
}

function ImportForm({ deck, onDone }: { deck: OpenDeck; onDone: () => void }) {
  const [text, setText] = useState("");
  const [note, setNote] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const readFile = async (file: File | undefined) => {
    if (!file) return undefined;
    setNote("");
    if (isPackage(file.name)) return importPackage(file);
    return file.size > MAX_TEXT_BYTES ? setNote(t("flashcards.import_too_large")) : setText(await file.text());
  };
  return (
    <>
      <p>{t("flashcards.import_text")}</p>
      <input
        ref={input}
        type="file"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t("flashcards.import_file")}
        accept=".apkg,.colpkg,.anki2,.csv,.tsv,.txt,.md"
        onChange={(event) => void readFile(event.target.files?.[0])}
      />
      <Button variant="primary" onClick={() => input.current?.click()}>
        {t("flashcards.import_file")}
      </Button>
      <TextArea
        label={t("flashcards.import_paste")}
        hint={t("flashcards.import_paste_hint")}
        rows={5}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {note !== "" && <p role="alert">{note}</p>}
      <ImportPreview deck={deck} text={text} onDone={onDone} />
    </>
  );
}

/** Shows how many cards the text has, and adds them to the deck. */
function ImportPreview({ deck, text, onDone }: { deck: OpenDeck; text: string; onDone: () => void }) {
  const { cards, leftOut } = useMemo(() => readTextDeck(text), [text]);
  const add = () => {
    const newCards = cards.map(({ tags, ...card }) => ({ ...createCard(), ...card, ...(tags ? { tags } : {}) }));
    if (editCards((current) => [...current, ...newCards])) onDone();
  };
  return (
    <>
      {text.trim() !== "" && (
        <p role="status">
          {t("flashcards.import_found", { count: cards.length })}
          {leftOut > 0 && ` ${t("flashcards.import_skipped", { count: leftOut })}`}
        </p>
      )}
      <Button disabled={cards.length === 0} onClick={add}>
        {t("flashcards.import_add", { title: deck.title })}
      </Button>
    </>
  );
}

/** Summarises what was imported and what was lost. */
function ImportSummary({ report }: { report: AnkiImportReport }) {
  return (
    <div role="status" className="import-report">
      <p>
        {t("flashcards.report_cards", { count: report.cards })} {t("flashcards.report_media", { count: report.media })}{" "}
        {t("flashcards.report_reviews", { count: report.reviews })}
      </p>
      <ul>
        {report.decks.map(({ componentId, pageId, title, added, known }) => (
          <li key={componentId}>
            <Link to={screenPath("deck", { id: pageId, slug: componentId })} onClick={clearDeckImport}>
              {title}
            </Link>{" "}
            {t("flashcards.report_deck", { added, known })}
          </li>
        ))}
      </ul>
      {report.losses.length > 0 && (
        <>
          <h3>{t("flashcards.report_losses")}</h3>
          <ul>
            {report.losses.map(({ what, count, examples }) => (
              <li key={what}>
                {t(`flashcards.loss_${what}`, { count })}
                {examples.length > 0 && <span className="import-examples">{examples.join(", ")}</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
