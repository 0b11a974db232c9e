import { useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { Fragment, useEffect, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { lineAt } from "#shared/podcasts/rules.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import { spokenLineAtom, loadedAtom, playEpisode } from "../player.ts";
import type { PodcastView } from "../state.ts";
import { EpisodeLine } from "./transcript-line.tsx";

type ReadyView = Extract<PodcastView, { state: "ready" }>;

interface Find {
  words: string;
  setWords: (words: string) => void;
  found: readonly number[];
  current: number;
  next: () => void;
}

function useFind({ transcript: { lines } }: ReadyView, onFound: (line: number) => void): Find {
  const [words, setWords] = useState("");
  const [current, setCurrent] = useState(0);
  const needle = words.trim().toLocaleLowerCase();
  const found =
    needle === "" ? [] : lines.flatMap(({ text }, index) => (text.toLocaleLowerCase().includes(needle) ? [index] : []));
  const next = () => {
    const following = (current + 1) % Math.max(1, found.length);
    setCurrent(following);
    const line = found[following];
    if (line !== undefined) onFound(line);
  };
  const change = (changed: string) => {
    setWords(changed);
    setCurrent(-1);
  };
  return { words, setWords: change, found, current, next };
}

function scrollToLine(index: number, block: ScrollLogicalPosition = "center"): void {
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.getElementById(`podcast-line-${index}`)?.scrollIntoView({ block, behavior: isCalm ? "instant" : "smooth" });
}

/** Scrolls once to the line at the time in the URL, which a search result links to; -1 without a time. */
function useLinkedLine({ transcript }: ReadyView): number {
  const { t: seconds }: { t?: unknown } = useSearch({ strict: false });
  const ms = Number(seconds ?? Number.NaN) * 1000;
  // The time in the URL is in whole seconds, so the line may begin up to a second later.
  const line = Number.isFinite(ms) ? lineAt(transcript.lines, ms + 999) : -1;
  useEffect(() => {
    if (line >= 0) scrollToLine(line);
  }, [line]);
  return line;
}

/** The lines; the spoken one is highlighted. */
export function Transcript({ view }: { view: ReadyView }) {
  const { podcast, transcript } = view;
  const loaded = useAtomValue(loadedAtom);
  const spokenLine = useAtomValue(spokenLineAtom);
  const current = loaded?.podcast._id === podcast._id ? spokenLine : -1;
  const [isFollowing, setFollowing] = useState(true);
  const find = useFind(view, (line) => {
    setFollowing(false);
    scrollToLine(line);
  });
  const linked = useLinkedLine(view);
  const region = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFollowing && current >= 0) scrollToLine(current);
  }, [isFollowing, current]);
  useEffect(() => {
    // A student who scrolls wants to read another part, so the transcript stops following.
    const stop = () => setFollowing(false);
    const scrolled = region.current;
    scrolled?.addEventListener("wheel", stop, { passive: true });
    scrolled?.addEventListener("touchmove", stop, { passive: true });
    return () => {
      scrolled?.removeEventListener("wheel", stop);
      scrolled?.removeEventListener("touchmove", stop);
    };
  }, []);
  if (transcript.lines.length === 0) return <div className="episode-transcript" />;
  return (
    <section ref={region} className="episode-transcript" aria-label={t("podcasts.transcript")}>
      <TranscriptTools find={find} isFollowing={isFollowing} onFollow={() => setFollowing(!isFollowing)} />
      <div className="episode-lines">
        {transcript.lines.map((line, index) => (
          <Fragment key={`${index} ${line.text}`}>
            {transcript.lines[index - 1]?.chapter !== line.chapter && (
              <ChapterName title={transcript.chapters[line.chapter]?.title} />
            )}
            <EpisodeLine
              index={index}
              line={line}
              view={view}
              state={index === current ? "now" : index < current ? "past" : "next"}
              isFound={(find.found[find.current] ?? linked) === index}
              onPlay={() => line.startMs !== undefined && void playEpisode(view, line.startMs)}
            />
          </Fragment>
        ))}
      </div>
    </section>
  );
}

/** The heading of a chapter; missing while only the opening is recorded, because the chapters are not written yet. */
const ChapterName = ({ title }: { title: string | undefined }) =>
  title !== undefined && <h2 className="episode-chapter-name">{title}</h2>;

interface ToolsProps {
  find: Find;
  isFollowing: boolean;
  onFollow: () => void;
}

function TranscriptTools({ find, isFollowing, onFollow }: ToolsProps) {
  const { words, setWords, found, current, next } = find;
  return (
    <div className="episode-tools">
      <form
        className="episode-find"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          next();
        }}
      >
        <TextField
          label={t("podcasts.find")}
          labelHidden
          placeholder={t("podcasts.find")}
          type="search"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
        <span role="status" className="episode-found">
          {words.trim() !== "" &&
            (found.length === 0
              ? t("podcasts.found_none")
              : t("podcasts.found", { at: Math.max(0, current) + 1, count: found.length }))}
        </span>
      </form>
      <Button aria-pressed={isFollowing} onClick={onFollow}>
        {t("podcasts.follow")}
      </Button>
    </div>
  );
}
