import { useAtom, useAtomValue } from "jotai/react";
import { ChevronDown, ChevronUp, MoreHorizontal, Plus, RefreshCw, Trash2 } from "lucide-react";
import { useState, type Ref } from "react";
import { t } from "#shared/messages/translate.ts";
import { Dialog } from "#shared/ui/overlays/dialog.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { Select } from "#shared/ui/controls/select.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { TextField } from "#shared/ui/controls/text-field.tsx";
import type { TranscriptSource } from "#shared/video/schema.ts";
import { languageName } from "../languages.ts";
import {
  refreshTranscript,
  citedAtom,
  dismissCitation,
  hitsAtom,
  loadTranscript,
  queryAtom,
  removeTranscript,
  transcriptAtom,
  type TranscriptState,
  type VideoInfo,
} from "../state.ts";
import { LineList } from "./line-list.tsx";
import { CaptionsUpload, NoTranscript } from "./no-transcript.tsx";

type ReadyTranscript = Extract<TranscriptState, { state: "ready" }>;

const sourceName = (source: TranscriptSource) => t(`video.source_${source}`);

/** Selects one of the stored or available transcripts; hidden if there is only one. */
function TranscriptSelect({ info, transcriptState }: { info: VideoInfo; transcriptState: ReadyTranscript }) {
  const { language, source } = transcriptState.transcript;
  const storedOptions = info.transcripts.map((entry) => ({
    value: `${entry.source}:${entry.language}`,
    label: `${languageName(entry.language)} (${entry.isGenerated ? t("video.generated") : sourceName(entry.source)})`,
  }));
  const availableOptions = info.offered.map((track) => ({
    value: `youtube:${track.language}`,
    label: `${languageName(track.language)} (${track.isGenerated ? t("video.generated") : sourceName("youtube")})`,
  }));
  const value = `${source}:${language}`;
  const known = new Map([...availableOptions, ...storedOptions].map((option) => [option.value, option]));
  if (!known.has(value)) known.set(value, { value, label: languageName(language) });
  if (known.size < 2) return null;
  return (
    <Select
      label={t("video.transcript_choice")}
      labelHidden
      value={value}
      options={[...known.values()]}
      onValue={(next) => {
        const [from, tag] = next.split(":");
        if (tag === undefined) return;
        void loadTranscript(info.component._id, { language: tag, source: from as TranscriptSource });
      }}
    />
  );
}

function TranscriptMenu({ info, transcriptState }: { info: VideoInfo; transcriptState: ReadyTranscript }) {
  const [isAdding, setAdding] = useState(false);
  const { source } = transcriptState.transcript;
  const isYoutube = info.component.type === "video" && info.component.content.videoType === "youtube";
  const again = {
    label: t("video.check_again"),
    icon: <RefreshCw aria-hidden />,
    onSelect: () => void refreshTranscript(),
  };
  const remove = {
    label: t("video.remove"),
    icon: <Trash2 aria-hidden />,
    danger: true,
    onSelect: () => void removeTranscript(transcriptState.transcript),
  };
  return (
    <>
      <Menu
        trigger={<IconButton label={t("video.more")} icon={<MoreHorizontal aria-hidden />} />}
        groups={[
          [
            { label: t("video.add_captions"), icon: <Plus aria-hidden />, onSelect: () => setAdding(true) },
            ...(isYoutube ? [again] : []),
          ],
          source === "youtube" ? [] : [remove],
        ]}
      />
      <Dialog
        open={isAdding}
        title={t("video.add_captions")}
        onClose={() => setAdding(false)}
        closeLabel={t("common.close")}
      >
        <CaptionsUpload />
      </Dialog>
    </>
  );
}

interface SearchProps {
  index: number;
  onIndex: (index: number) => void;
  inputRef: Ref<HTMLInputElement>;
}

function Search({ index, onIndex, inputRef }: SearchProps) {
  const [query, setQuery] = useAtom(queryAtom);
  const hits = useAtomValue(hitsAtom);
  const hasQuery = query.trim().length > 1;
  const step = (offset: 1 | -1) => {
    if (hits.length > 0) onIndex((index + offset + hits.length) % hits.length);
  };
  return (
    <search className="transcript-search">
      <TextField
        ref={inputRef}
        type="search"
        label={t("video.search")}
        labelHidden
        placeholder={t("video.search_placeholder")}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          onIndex(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") setQuery("");
        }}
      />
      <span role="status" className="transcript-hits">
        {hasQuery &&
          (hits.length === 0 ? t("video.hits_none") : t("video.hit_of", { at: index + 1, count: hits.length }))}
      </span>
      {hasQuery && hits.length > 0 && (
        <span className="transcript-steps">
          <IconButton label={t("video.previous_hit")} icon={<ChevronUp aria-hidden />} onClick={() => step(-1)} />
          <IconButton label={t("video.next_hit")} icon={<ChevronDown aria-hidden />} onClick={() => step(1)} />
        </span>
      )}
    </search>
  );
}

function CitationMissing() {
  const { isMissing } = useAtomValue(citedAtom);
  if (!isMissing) return null;
  return (
    <p role="alert" className="cited-missing">
      {t("video.cited_missing")}{" "}
      <button type="button" className="link-button" onClick={dismissCitation}>
        {t("video.dismiss")}
      </button>
    </p>
  );
}

/** The transcript, with its search and a choice of languages. */
export function TranscriptPanel({ info, searchRef }: { info: VideoInfo; searchRef: Ref<HTMLInputElement> }) {
  const transcriptState = useAtomValue(transcriptAtom);
  const hits = useAtomValue(hitsAtom);
  const [index, setIndex] = useState(0);
  if (transcriptState.state === "loading")
    return <Skeleton label={t("video.transcript_loading")} lines={[90, 96, 70, 94, 60]} />;
  if (transcriptState.state === "none")
    return (
      <>
        <CitationMissing />
        <NoTranscript message={transcriptState.message} reason={transcriptState.reason} info={info} />
      </>
    );
  return (
    <>
      <div className="transcript-head">
        <Search index={index} onIndex={setIndex} inputRef={searchRef} />
        <TranscriptSelect info={info} transcriptState={transcriptState} />
        <TranscriptMenu info={info} transcriptState={transcriptState} />
      </div>
      <CitationMissing />
      <LineList
        key={transcriptState.captionsUrl}
        segments={transcriptState.transcript.segments}
        hits={hits}
        hitAt={hits.length > 0 ? index : -1}
      />
    </>
  );
}
