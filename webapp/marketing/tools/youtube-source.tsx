import { useId, useState } from "react";
import { PhaseLine } from "./phase-line.tsx";
import { prepareText } from "./prepare.ts";
import { readText } from "./readers/read-text.ts";
import { ToolError, type Cards, type Source } from "./use-cards.ts";
import { word } from "./words.ts";

interface TranscriptResponse {
  title: string;
  segments: { startMs: number; text: string }[];
}

const TOO_MANY = 429;
const BAD_INPUT = 400;
/** The minimum length of the paragraphs into which captions are joined. */
const PARAGRAPH_CHARS = 700;

async function fetchTranscript(url: string, signal: AbortSignal): Promise<TranscriptResponse> {
  const response = await fetch("/v1/video/public_transcript", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url }),
    signal,
  }).catch(() => undefined);
  if (response === undefined) throw new ToolError(word("youtube_offline"));
  if (response.status === TOO_MANY) throw new ToolError(word("youtube_limit"));
  if (response.status === BAD_INPUT) throw new ToolError(word("youtube_address"));
  if (!response.ok) throw new ToolError(word("youtube_failed"));
  return (await response.json()) as TranscriptResponse;
}

/** Joins captions into paragraphs, because captions break in the middle of sentences. */
function joinLines(lines: readonly string[]): string {
  const paragraphs: string[] = [""];
  for (const line of lines) {
    const open = paragraphs.at(-1) ?? "";
    if (open.length > PARAGRAPH_CHARS && /[.!?]["”’)]?$/.test(open)) paragraphs.push(line);
    else paragraphs[paragraphs.length - 1] = `${open} ${line}`.trim();
  }
  return paragraphs.join("\n\n");
}

/** A time such as "0:13" or "1:02:03" at the start of a line, as in transcripts copied from YouTube. */
const TIME = /^\s*(?:\d{1,2}:)?\d{1,2}:\d{2}(?:\s*(?:\d+ (?:minutes?|seconds?|hours?),? ?)+)?\s*/;

const readPasted = (text: string): Promise<Source> =>
  readText(
    joinLines(
      text
        .split(/\r?\n/)
        .map((line) => line.replace(TIME, "").trim())
        .filter(Boolean),
    ),
  );

/** Makes cards from a video: from captions that our server fetches, or from a pasted transcript. */
export function YoutubeSource({ cards }: { cards: Cards }) {
  return (
    <div className="tool-form">
      <AddressForm cards={cards} />
      <PhaseLine cards={cards} />
      <PasteForm cards={cards} />
    </div>
  );
}

function AddressForm({ cards }: { cards: Cards }) {
  const [url, setUrl] = useState("");
  const id = useId();
  const isWorking = cards.phase.kind === "working";
  const read = async (signal: AbortSignal) => {
    const { title, segments } = await fetchTranscript(url, signal);
    const source = await readText(joinLines(segments.map(({ text }) => text.trim()).filter(Boolean)));
    return { ...source, name: title };
  };
  return (
    <form
      className="tool-form"
      onSubmit={(event) => {
        event.preventDefault();
        void cards.make("", (_, signal) => read(signal));
      }}
    >
      <label htmlFor={id}>{word("youtube_label")}</label>
      <input
        id={id}
        className="tool-input"
        type="url"
        required
        value={url}
        placeholder={word("youtube_placeholder")}
        onChange={(event) => setUrl(event.target.value)}
      />
      <div className="tool-actions">
        <button type="submit" className="button button-primary button-l" disabled={isWorking || url.trim() === ""}>
          {word("youtube_fetch")}
        </button>
      </div>
    </form>
  );
}

function PasteForm({ cards }: { cards: Cards }) {
  const [pasted, setPasted] = useState("");
  const id = useId();
  const isWorking = cards.phase.kind === "working";
  return (
    <form
      className="tool-form"
      onSubmit={(event) => {
        event.preventDefault();
        void cards.make("", () => readPasted(pasted));
      }}
    >
      <label htmlFor={id}>{word("youtube_paste")}</label>
      <textarea
        id={id}
        className="tool-text"
        rows={7}
        value={pasted}
        aria-describedby={`${id}-hint`}
        onFocus={prepareText}
        onChange={(event) => setPasted(event.target.value)}
      />
      <p className="tool-hint" id={`${id}-hint`}>
        {word("youtube_paste_hint")}
      </p>
      <div className="tool-actions">
        <button type="submit" className="button button-secondary" disabled={isWorking || pasted.trim() === ""}>
          {word("make")}
        </button>
      </div>
    </form>
  );
}
