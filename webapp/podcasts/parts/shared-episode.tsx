import { Fragment, useRef, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { lineAt } from "#shared/podcasts/rules.ts";
import type { SharedPodcast } from "#shared/podcasts/schema.ts";
import { formatTimecode } from "#shared/video/rules.ts";
import { useFileUrl } from "#webapp/uploads/file-urls.ts";
import "../podcast-screen.css";
import "./shared-episode.css";

type SharedLine = SharedPodcast["lines"][number];

interface LineProps {
  line: SharedLine;
  name: string;
  index: number;
  isNow: boolean;
  onPlay: (ms: number) => void;
}

function Line({ line: { speaker, text, startMs }, name, index, isNow, onPlay }: LineProps) {
  return (
    <div className="line" data-speaker={speaker} aria-current={isNow || undefined}>
      <span className="line-speaker">{name}</span>
      <div className="line-words">
        <p>
          {startMs === undefined ? (
            text
          ) : (
            <a
              id={`podcast-line-${index}`}
              className="line-text"
              href={`#podcast-line-${index}`}
              title={t("podcasts.go_to", { time: formatTimecode(startMs) })}
              onClick={(event) => {
                event.preventDefault();
                onPlay(startMs);
              }}
            >
              <span className={isNow ? "lit" : undefined}>{text}</span>
            </a>
          )}
        </p>
      </div>
    </div>
  );
}

/** The public view of a shared episode: the browser's own player above the lines. */
export function SharedEpisode({ podcast, title }: { podcast: SharedPodcast; title: string }) {
  const { host, guest, lines, chapters, engine, writer, audio_file_id: fileId } = podcast;
  const audio = useRef<HTMLAudioElement>(null);
  const [current, setCurrent] = useState(-1);
  const src = useFileUrl(fileId);
  const play = (ms: number) => {
    if (!audio.current) return;
    audio.current.currentTime = ms / 1000;
    void audio.current.play();
  };
  return (
    <div className="shared-episode">
      <p className="episode-about">
        {t(writer === null ? "podcasts.shared_who" : "podcasts.shared_who_model", {
          host: host.name,
          guest: guest.name,
        })}{" "}
        {engine === "built_in" && t("podcasts.shared_built_in")}
      </p>
      <audio
        ref={audio}
        className="shared-episode-player"
        controls
        preload="metadata"
        aria-label={title}
        src={src}
        onTimeUpdate={(event) => setCurrent(lineAt(lines, event.currentTarget.currentTime * 1000))}
      />
      <div className="episode-lines">
        {lines.map((line, index) => (
          <Fragment key={`${index} ${line.text}`}>
            {lines[index - 1]?.chapter !== line.chapter && (
              <h2 className="episode-chapter-name">{chapters[line.chapter]?.title}</h2>
            )}
            <Line
              line={line}
              name={line.speaker === "host" ? host.name : guest.name}
              index={index}
              isNow={index === current}
              onPlay={play}
            />
          </Fragment>
        ))}
      </div>
    </div>
  );
}
