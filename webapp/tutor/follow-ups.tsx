import { t } from "#shared/messages/translate.ts";
import { translatePlainPart } from "#shared/tutor/phrases.ts";
import type { Message, MessagePart } from "#shared/tutor/schema.ts";

/** The text of a suggested question, and its topic if the question was made from a heading. */
function describeFollowUp(part: MessagePart): { text: string; topic: string | undefined } {
  const heading = part.type === "phrase" && part.key === "follow_up" ? part.params["heading"] : undefined;
  return { text: translatePlainPart(part), topic: typeof heading === "string" ? heading : undefined };
}

/** Suggested questions below the last answer. */
export function FollowUps({ message, onAsk }: { message: Message | undefined; onAsk: (text: string) => void }) {
  if (message?.role !== "assistant" || message.followUps.length === 0) return null;
  const parts = message.followUpParts ?? message.followUps.map((text) => ({ type: "text" as const, text }));
  const questions = parts.map(describeFollowUp);
  return (
    <div className="follow-ups">
      {questions.every(({ topic }) => topic !== undefined) && (
        <span className="follow-ups-lead" aria-hidden>
          {t("tutor.follow_up_topics")}
        </span>
      )}
      <ul role="list" aria-label={t("tutor.follow_ups")}>
        {questions.map(({ text, topic }) => (
          <li key={text}>
            <button
              type="button"
              className="follow-up"
              aria-label={topic === undefined ? undefined : text}
              onClick={() => onAsk(text)}
            >
              {topic ?? text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
