import { t } from "#shared/messages/translate.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import type { OpenSession } from "../open-session.ts";
import type { ResearchSnapshot } from "../snapshot.ts";

interface Props {
  live: OpenSession;
  snapshot: ResearchSnapshot;
}

/** The messages before the research starts: the question, and questions that clarify it. */
export function Dialogue({ live, snapshot: { dialogue, isSending } }: Props) {
  if (dialogue.length === 0) return null;
  return (
    <>
      <ol role="list" className="research-dialogue" aria-label={t("research.dialogue")} aria-live="polite">
        {dialogue.map(({ role, text }, index) => (
          // Messages are only added at the end, so the index identifies them.
          <li key={index} data-role={role} dir="auto">
            {text}
          </li>
        ))}
      </ol>
      {!isSending && (
        <Button variant="quiet" className="research-discard" onClick={() => live.discardDialogue()}>
          {t("research.ask_something_else")}
        </Button>
      )}
    </>
  );
}
