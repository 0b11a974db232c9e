import { t } from "#shared/messages/translate.ts";

interface Props {
  messages: readonly { role: "user" | "assistant"; text: string }[];
}

/** What was asked back before the research starts. */
export function Dialogue({ messages }: Props) {
  if (messages.length === 0) return null;
  return (
    <ol role="list" className="research-dialogue" aria-label={t("research.dialogue")} aria-live="polite">
      {messages.map(({ role, text }, at) => (
        // Messages are only ever added at the end.
        <li key={at} data-role={role} dir="auto">
          {text}
        </li>
      ))}
    </ol>
  );
}
