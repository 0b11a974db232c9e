import { useAtomValue } from "jotai/react";
import { AudioLines } from "lucide-react";
import { useEffect } from "react";
import { t, translateSent } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Progress } from "#shared/ui/meter.tsx";
import { userAtom } from "#webapp/app/session/session.ts";
import { cancelTranscription, followTranscription, transcriptionAtom, startTranscription } from "../transcription.ts";
import type { VideoInfo } from "../state.ts";

/** A button that starts a transcription on the speech server, or the reason why that is not possible. */
export function TranscriptionOffer({ id, speech }: { id: string; speech: VideoInfo["speech"] }) {
  const job = useAtomValue(transcriptionAtom);
  const isAdmin = useAtomValue(userAtom)?.isAdmin ?? false;
  const canTranscribe = speech.hasFile && speech.problem === null;
  useEffect(() => (canTranscribe ? followTranscription(id) : undefined), [id, canTranscribe]);
  if (!speech.hasFile) return null;
  if (!speech.isConfigured)
    return (
      <p className="panel-note">
        {t("video.speech_not_set")}
        {isAdmin && ` ${t("video.speech_not_set_how")}`}
      </p>
    );
  if (speech.problem !== null) return <p className="panel-note">{translateSent(speech.problem, speech)}</p>;
  if (job.state === "running")
    return (
      <div className="speech-running">
        <p role="status">
          {job.total > 1 ? t("video.speech_pieces", { done: job.done, total: job.total }) : t("video.speech_running")}
        </p>
        {job.total > 1 && <Progress label={t("video.speech_running")} value={job.done} max={job.total} />}
        <Button onClick={() => void cancelTranscription(id)}>{t("common.cancel")}</Button>
      </div>
    );
  return (
    <div className="speech-offer">
      <Button icon={<AudioLines aria-hidden />} onClick={() => void startTranscription(id)}>
        {t("video.speech_start")}
      </Button>
      <p className="panel-note">{t("video.speech_hint")}</p>
      {job.state === "failed" && (
        <p role="alert" className="video-broken">
          {job.message}
        </p>
      )}
    </div>
  );
}
