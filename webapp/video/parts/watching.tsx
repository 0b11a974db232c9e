import { Link } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { ArrowLeft } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Segmented } from "#shared/ui/controls/segmented.tsx";
import { store } from "#webapp/app/store.ts";
import { copyQuote, type Quote } from "../cards.ts";
import { loadNotes } from "../notes.ts";
import { seekTo } from "../playback.ts";
import { currentLineAtom, saidAtom, showCitation, type VideoInfo } from "../state.ts";
import { chooseLine, chooseNothing, useSelected, type Selected } from "../use-selected.ts";
import { useVideoKeys, type VideoKeys } from "../use-video-keys.ts";
import { CardDialog } from "./card-dialog.tsx";
import { ChaptersPanel } from "./chapters-panel.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { NotesPanel } from "./notes-panel.tsx";
import { PlayerBar } from "./player-bar.tsx";
import { PlayerOf } from "./player.tsx";
import { TranscriptPanel } from "./transcript-panel.tsx";

type Side = "transcript" | "chapters" | "notes";

const NO_LINES: never[] = [];

/** The line being spoken, or the first line before that. */
function spokenLine(): Selected | null {
  const said = store.get(saidAtom);
  return said.state === "ready" ? (said.transcript.segments[Math.max(0, store.get(currentLineAtom))] ?? null) : null;
}

/** Before the first line, both directions lead to it. */
function stepLine(step: 1 | -1): void {
  const said = store.get(saidAtom);
  const at = store.get(currentLineAtom) + step;
  const next = said.state === "ready" ? said.transcript.segments[at === -1 ? 0 : at] : undefined;
  if (next) seekTo(next.startMs);
}

/** Pressing a button must not clear the selection before it is read. */
const keep = (event: { preventDefault: () => void }) => event.preventDefault();

interface BarProps {
  onCard: () => void;
  onCopy: () => void;
}

function SelectionBar({ onCard, onCopy }: BarProps) {
  return (
    <section className="selection-bar" aria-label={t("video.selected")}>
      <Button variant="primary" onPointerDown={keep} onClick={onCard}>
        {t("video.make_card")}
      </Button>
      <Button onPointerDown={keep} onClick={onCopy}>
        {t("video.copy_quote")}
      </Button>
    </section>
  );
}

/** The selected or spoken passage, the actions on it, and their shortcuts. */
function useWatching(video: Pick<Quote, "videoId" | "title">) {
  const { videoId, title } = video;
  const [side, setSide] = useState<Side>("transcript");
  const [isShowingKeys, setShowingKeys] = useState(false);
  const [carded, setCarded] = useState<Quote | null>(null);
  const search = useRef<HTMLInputElement>(null);
  const note = useRef<HTMLTextAreaElement>(null);
  const wished = useRef<"search" | "note" | null>(null);
  const said = useAtomValue(saidAtom);
  const selected = useSelected(said.state === "ready" ? said.transcript.segments : NO_LINES);
  useEffect(() => {
    // The field exists only after the render that shows its tab.
    if (wished.current === "search") search.current?.focus();
    if (wished.current === "note") note.current?.focus();
    wished.current = null;
  });
  const keys = useMemo((): VideoKeys => {
    const quote = (): Quote | null => {
      const words = selected ?? spokenLine();
      return words && { videoId, title, text: words.text, startMs: words.startMs, endMs: words.endMs };
    };
    const goTo = (next: Side, field: "search" | "note") => {
      wished.current = field;
      setSide(next);
      // If the tab is already shown, nothing rerenders.
      (field === "search" ? search : note).current?.focus();
    };
    return {
      line: stepLine,
      choose: (step) => {
        setSide("transcript");
        chooseLine(Math.max(0, store.get(currentLineAtom)), step);
      },
      chooseNothing,
      search: () => goTo("transcript", "search"),
      note: () => goTo("notes", "note"),
      card: () => setCarded(quote()),
      copy: () => {
        const words = quote();
        if (words) void copyQuote(words);
      },
      keys: () => setShowingKeys(true),
    };
  }, [videoId, title, selected]);
  useVideoKeys(keys);
  return { side, setSide, isShowingKeys, setShowingKeys, carded, setCarded, selected, keys, fields: { search, note } };
}

const sides = () => [
  { value: "transcript" as const, label: t("video.transcript") },
  { value: "chapters" as const, label: t("video.chapters") },
  { value: "notes" as const, label: t("video.notes") },
];

function Header({ pageId, title }: { pageId: string; title: string }) {
  return (
    <header className="video-header">
      <Link to={screenPath("page", { id: pageId })} className="video-back" aria-label={t("video.to_page")}>
        <ArrowLeft aria-hidden />
      </Link>
      <h1 className="video-title" dir="auto">
        {title}
      </h1>
    </header>
  );
}

interface Props {
  info: VideoInfo;
  /** The query string of the address, which may name a time and a quote. */
  cited: string;
}

/** The player with transcript, chapters and notes next to it. */
export function Watching({ info, cited }: Props) {
  const { component } = info;
  const { _id: videoId, pageId } = component;
  const title = component.type === "video" ? component.content.title || component.content.file.name : "";
  const { side, setSide, keys, fields, selected, ...open } = useWatching({ videoId, title });
  useEffect(() => void loadNotes({ pageId, videoId }), [pageId, videoId]);
  useEffect(() => showCitation(cited), [cited]);
  return (
    <div className="video">
      <Header pageId={pageId} title={title} />
      <main className="video-main">
        <section className="video-stage" aria-label={t("video.player")}>
          <PlayerOf component={component} />
          <PlayerBar onKeys={keys.keys} />
        </section>
        <section className="video-side" aria-label={t("video.side")}>
          <div className="video-tabs">
            <Segmented label={t("video.side")} value={side} options={sides()} onValue={setSide} />
          </div>
          <div className="video-panel" data-side={side}>
            {side === "transcript" && <TranscriptPanel info={info} searchRef={fields.search} />}
            {side === "chapters" && <ChaptersPanel info={info} />}
            {side === "notes" && <NotesPanel place={{ pageId, videoId }} inputRef={fields.note} />}
          </div>
          {side === "transcript" && selected && <SelectionBar onCard={keys.card} onCopy={keys.copy} />}
        </section>
      </main>
      {open.carded && <CardDialog quote={open.carded} pageId={pageId} onClose={() => open.setCarded(null)} />}
      <KeysDialog open={open.isShowingKeys} onClose={() => open.setShowingKeys(false)} />
    </div>
  );
}
