import { ThumbsDown, ThumbsUp } from "lucide-react";
import { useState } from "react";
import { removeCitationMarkers } from "#shared/tutor/citation-markers.ts";
import { translateAnswer } from "#shared/tutor/phrases.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Checkbox } from "#shared/ui/controls/checkbox.tsx";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { TextArea } from "#shared/ui/controls/text-area.tsx";
import { client } from "#extension/app/client.ts";
import { ratingWords } from "#extension/words/rating-words.ts";

type Thumb = "up" | "down" | "none";

/** Thumbs up and down for an answer; thumbs down opens a form for the reason. */
export function AnswerRating({ message }: { message: Message }) {
  const [value, setValue] = useState<Thumb>("none");
  const [isAsking, setAsking] = useState(false);
  const [notice, setNotice] = useState<string>();
  const rated = { kind: "answer", id: message._id, model: message.model ?? "none" } as const;
  const rate = async (thumb: Exclude<Thumb, "none">) => {
    const changed = value === thumb ? "none" : thumb;
    setValue(changed);
    setNotice(undefined);
    setAsking(changed === "down");
    try {
      await client.feedback.rate({ ...rated, value: changed });
      if (changed === "up") setNotice(ratingWords.thanks);
    } catch {
      setValue(value);
      setAsking(false);
      setNotice(ratingWords.failed);
    }
  };
  const explain = async (reason: string, text: string) => {
    try {
      await client.feedback.rate({ ...rated, value: "down", reason, text });
      setAsking(false);
      setNotice(ratingWords.thanks);
    } catch {
      setNotice(ratingWords.failed);
    }
  };
  return (
    <div className="tutor-rating">
      <IconButton
        label={ratingWords.up}
        icon={<ThumbsUp aria-hidden />}
        aria-pressed={value === "up"}
        onClick={() => void rate("up")}
      />
      <IconButton
        label={ratingWords.down}
        icon={<ThumbsDown aria-hidden />}
        aria-pressed={value === "down"}
        onClick={() => void rate("down")}
      />
      {isAsking && <ReasonForm message={message} onSend={explain} onSkip={() => setAsking(false)} />}
      {notice !== undefined && <p role="status">{notice}</p>}
    </div>
  );
}

interface ReasonProps {
  message: Message;
  /** The text is empty unless the student shares it. */
  onSend: (reason: string, text: string) => Promise<void>;
  onSkip: () => void;
}

function ReasonForm({ message, onSend, onSkip }: ReasonProps) {
  const [reason, setReason] = useState("");
  const [isShared, setShared] = useState(false);
  const text = removeCitationMarkers(translateAnswer(message)).trim();
  const isEmpty = reason.trim() === "" && !isShared;
  return (
    <div className="tutor-reason" role="group" aria-label={ratingWords.title}>
      <TextArea
        label={ratingWords.reason}
        hint={ratingWords.optional}
        rows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Checkbox label={ratingWords.share} checked={isShared} onValue={setShared} />
      <div className="tutor-actions">
        <Button disabled={isEmpty} onClick={() => void onSend(reason.trim(), isShared ? text : "")}>
          {ratingWords.send}
        </Button>
        <Button variant="quiet" onClick={onSkip}>
          {ratingWords.skip}
        </Button>
      </div>
    </div>
  );
}
