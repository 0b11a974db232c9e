import { useAtomValue } from "jotai/react";
import { t } from "#shared/messages/translate.ts";
import { formatTimecode, segmentAt } from "#shared/video/rules.ts";
import { nowMsAtom, seekTo } from "../playback.ts";
import { transcriptAtom, type VideoInfo } from "../state.ts";

/** The chapters from the video's description, otherwise chapters computed from the transcript. */
export function ChaptersPanel({ info }: { info: VideoInfo }) {
  const transcriptState = useAtomValue(transcriptAtom);
  const positionMs = useAtomValue(nowMsAtom);
  const chapters =
    info.chapters.length > 0 ? info.chapters : transcriptState.state === "ready" ? transcriptState.chapters : [];
  if (chapters.length === 0) return <p className="panel-empty">{t("video.no_chapters")}</p>;
  const current = segmentAt(chapters, positionMs);
  return (
    <>
      {info.chapters.length === 0 && <p className="panel-note">{t("video.chapters_computed")}</p>}
      <ol role="list" className="chapters">
        {chapters.map(({ startMs, title }, index) => (
          <li key={startMs}>
            <button
              type="button"
              className="chapter"
              aria-current={index === current ? "true" : undefined}
              onClick={() => seekTo(startMs)}
            >
              <span className="chapter-time">{formatTimecode(startMs)}</span>
              <span className="chapter-title" dir="auto">
                {title}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}
