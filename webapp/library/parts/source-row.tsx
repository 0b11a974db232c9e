import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { KnowledgeSource, Spoken } from "#shared/library/knowledge.ts";
import { t, translateSent } from "#shared/messages/translate.ts";
import type { ReadingState } from "#shared/pdf/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { clockOf } from "#shared/video/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { placeAddress, type PlaceKind } from "../places.ts";
import { usePicture } from "#webapp/uploads/picture.ts";
import { saySize } from "#webapp/app/format/size.ts";
import { PlaceIcon } from "#webapp/ui/sidebar/place-icon.tsx";
import { readStateOf, recognise, stopRecognising } from "../knowledge-state.ts";

/** Polling interval while the server is working on the source. */
const ASK_AGAIN_MS = 4_000;
const isAtWork = (state: ReadingState["state"] | undefined) =>
  state === "reading" || state === "waiting" || state === "running";

const placeKind = (kind: KnowledgeSource["kind"]): PlaceKind => (kind === "image" || kind === "video" ? kind : "pdf");

const pictureKind = (kind: KnowledgeSource["kind"]) =>
  kind === "video" ? "video" : kind === "word" || kind === "slides" ? "none" : "document";

function Picture({ source }: { source: KnowledgeSource }) {
  const { componentId, kind } = source;
  const address = usePicture(componentId, pictureKind(kind));
  return (
    <span className="source-picture" data-kind={kind}>
      {address === undefined ? <PlaceIcon kind={placeKind(kind)} emoji={null} /> : <img src={address} alt="" />}
    </span>
  );
}

type Known = ReadingState | null | undefined;

/** The reading state, polled while work is in progress. Undefined before the first response. */
function useReading({ componentId, kind }: KnowledgeSource) {
  const [known, setKnown] = useState<Known>(undefined);
  const again = useRef<() => void>(undefined);
  useEffect(() => {
    if (kind === "video") return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const ask = async () => {
      clearTimeout(timer);
      const state = await readStateOf(componentId);
      if (isGone) return;
      setKnown(state);
      if (isAtWork(state?.state)) timer = setTimeout(() => void ask(), ASK_AGAIN_MS);
    };
    again.current = () => void ask();
    void ask();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [componentId, kind]);
  const put = (state: ReadingState) => {
    setKnown(state);
    if (isAtWork(state.state)) setTimeout(() => again.current?.(), ASK_AGAIN_MS);
  };
  return { known, put, askAgain: () => again.current?.() };
}

/** Units for documents without pages of their own. */
const counted = { slides: "knowledge.slides", word: "knowledge.sections" } as const;
const pagesOf = (kind: KnowledgeSource["kind"]) =>
  kind === "slides" || kind === "word" ? counted[kind] : ("knowledge.pages" as const);

function stateWords(known: Known, kind: KnowledgeSource["kind"]): string {
  if (known === undefined) return "";
  if (known === null) return t("knowledge.unknown");
  if (known.state === "failed")
    return known.message === null ? t("knowledge.failed") : translateSent(known.message, known);
  if (known.state === "running") return t("knowledge.running", { done: known.recognised, total: known.textlessPages });
  const words = t(`knowledge.${known.state}`);
  return known.pageCount > 0 ? `${words} · ${t(pagesOf(kind), { count: known.pageCount })}` : words;
}

/** The available action; undefined if there is nothing to do. */
function wayOn(known: Known): "recognise" | "again" | "stop" | "check" | undefined {
  if (known === undefined) return undefined;
  if (known === null) return "check";
  switch (known.state) {
    case "needs_ocr":
      return "recognise";
    case "waiting":
    case "running":
      return "stop";
    case "failed":
      // If text recognition failed, a retry may succeed.
      return known.textlessPages > known.recognised ? "again" : "check";
    case "reading":
    case "ready":
      return undefined;
    default:
      return known.state satisfies never;
  }
}

function Reading({ source }: { source: KnowledgeSource }) {
  const { known, put, askAgain } = useReading(source);
  const { componentId, title } = source;
  const change = (next: Promise<ReadingState | null>) => void next.then((state) => state && put(state));
  const ways = {
    recognise: ["knowledge.recognise", "knowledge.recognise_of", () => change(recognise(componentId))],
    again: ["common.retry", "knowledge.recognise_again_of", () => change(recognise(componentId))],
    stop: ["knowledge.stop", "knowledge.stop_of", () => change(stopRecognising(componentId))],
    check: ["knowledge.check", "knowledge.check_of", askAgain],
  } as const;
  const way = wayOn(known);
  const [words, name, act] = way ? ways[way] : [];
  return (
    <p className="source-state" data-state={known?.state ?? "unknown"}>
      <span role="status">{stateWords(known, source.kind)}</span>
      {way && words && name && (
        <Button variant={way === "check" ? "quiet" : "secondary"} aria-label={t(name, { title })} onClick={act}>
          {t(words)}
        </Button>
      )}
    </p>
  );
}

const spokenWords = {
  ready: "knowledge.transcript",
  hearing: "knowledge.hearing",
  none: "knowledge.no_transcript",
  refused: "knowledge.no_transcript",
} as const;

function SpokenState({ spoken }: { spoken: Spoken }) {
  const { state, message } = spoken;
  return (
    <p className="source-state" data-state={state}>
      <span role="status">{message === null ? t(spokenWords[state]) : translateSent(message, spoken)}</span>
    </p>
  );
}

function Made({ source }: { source: KnowledgeSource }) {
  const { decks, highlights, notes, pictures, componentId, kind, pageId } = source;
  const place = placeAddress({ id: componentId, kind: placeKind(kind), pageId });
  if (decks.length === 0 && highlights + notes + pictures === 0)
    return <p className="source-made">{t("knowledge.made_nothing")}</p>;
  return (
    <ul role="list" className="source-made">
      {decks.map((deck) => (
        <li key={deck.componentId}>
          <Link to={screenPath("study", { id: deck.pageId, flashcard: deck.componentId })}>
            {t("knowledge.made_cards", { title: deck.title || t("common.untitled"), count: deck.cards })}
          </Link>
        </li>
      ))}
      {highlights > 0 && (
        <li>
          <Link to={place}>{t("knowledge.highlights", { count: highlights })}</Link>
        </li>
      )}
      {notes > 0 && (
        <li>
          <Link to={place}>{t("knowledge.notes", { count: notes })}</Link>
        </li>
      )}
      {pictures > 0 && (
        <li>
          <Link to={placeAddress({ id: componentId, kind: "image", pageId })}>
            {t("knowledge.pictures", { count: pictures })}
          </Link>
        </li>
      )}
    </ul>
  );
}

export function SourceRow({ source }: { source: KnowledgeSource }) {
  const { componentId, kind, pageId, title, sizeBytes, durationMs, pageTitle, spoken } = source;
  const about = [
    t(`knowledge.kind_${kind}`),
    ...(sizeBytes === null ? [] : [saySize(sizeBytes)]),
    ...(durationMs === null ? [] : [clockOf(durationMs)]),
    // A source added without a page has its own page of the same name.
    ...(pageTitle === title ? [] : [t("knowledge.on_page", { page: pageTitle || t("common.untitled") })]),
  ];
  return (
    <li className="source-row">
      <Picture source={source} />
      <div className="source-words">
        <Link className="list-name" to={placeAddress({ id: componentId, kind: placeKind(kind), pageId })}>
          {title || t("common.untitled")}
        </Link>
        <p className="source-about">{about.join(" · ")}</p>
        {spoken === null ? <Reading source={source} /> : <SpokenState spoken={spoken} />}
        <Made source={source} />
      </div>
    </li>
  );
}
