import { t } from "#shared/messages/translate.ts";

interface Props {
  messages: readonly { role: "user" | "assistant"; text: string }[];
}

/** The messages before the research starts: the question, and questions that clarify it. */
export function Dialogue({ messages }: Props) {
  if (messages.length === 0) return null;
  return (
    <ol role="list" className="research-dialogue" aria-label={t("research.dialogue")} aria-live="polite">
      {messages.map(({ role, text }, index) => (
        // Messages are only added at the end, so the index identifies them.
        <li key={index} data-role={role} dir="auto">
          {text}
        </li>
      ))}
    </ol>
  );
}
