import { t } from "#shared/messages/translate.ts";
import type { ToolMetadata, WebsitePart } from "#shared/website/message-parts.ts";
import type { WebsiteMessage } from "#shared/website/schema.ts";

type Group = { type: "text" | "reasoning"; text: string } | { type: "steps"; steps: ToolMetadata[] };

/** Groups consecutive tool calls, which are shown as one line that can be expanded. */
function groupParts(parts: readonly WebsitePart[]): Group[] {
  const groups: Group[] = [];
  for (const part of parts) {
    const last = groups.at(-1);
    if (part.type !== "tool_invocation") {
      if (part.metadata.text.trim() !== "") groups.push({ type: part.type, text: part.metadata.text.trim() });
    } else if (last?.type === "steps") last.steps.push(part.metadata);
    else groups.push({ type: "steps", steps: [part.metadata] });
  }
  return groups;
}

export function MessageView({ message }: { message: WebsiteMessage }) {
  return (
    <article className="website-message" data-role={message.role}>
      <h3 className="visually-hidden">{t(message.role === "user" ? "website.you" : "website.agent")}</h3>
      {groupParts(message.parts).map((group, index) => (
        <GroupView key={index} group={group} />
      ))}
    </article>
  );
}

function GroupView({ group }: { group: Group }) {
  switch (group.type) {
    case "text":
      return <p dir="auto">{group.text}</p>;
    case "reasoning":
      return (
        <details className="website-steps">
          <summary>
            <strong>{t("website.reasoning")}</strong>
          </summary>
          <p dir="auto" tabIndex={0}>
            {group.text}
          </p>
        </details>
      );
    case "steps":
      return <Steps steps={group.steps} />;
    default:
      return group satisfies never;
  }
}

const tools = [
  "write_file",
  "edit_file",
  "read_file",
  "list_files",
  "delete_file",
  "rename_file",
  "check",
  "console",
  "find_in_sources",
  "use_cards",
  "edit_site",
] as const;

function labelOf(name: string): string {
  const known = tools.find((tool) => tool === name);
  return known === undefined ? t("website.tool_unknown") : t(`website.tool_${known}`);
}

function Steps({ steps }: { steps: readonly ToolMetadata[] }) {
  const failed = steps.filter(({ error }) => error !== null).length;
  return (
    <details className="website-steps">
      <summary>
        <strong>{t("website.steps", { count: steps.length })}</strong>
        {failed > 0 && <span className="website-failed">{t("website.steps_failed", { count: failed })}</span>}
      </summary>
      <ul>
        {steps.map((step) => (
          <li key={step.invocationId} data-failed={step.error !== null}>
            {labelOf(step.name)} {typeof step.args["path"] === "string" && <code>{step.args["path"]}</code>}
            {step.error !== null && <span className="website-failed">{step.error}</span>}
            {step.errorLog !== null && (
              <pre tabIndex={0}>
                <code>{step.errorLog}</code>
              </pre>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}
