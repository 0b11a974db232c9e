import { t } from "#shared/messages/translate.ts";
import type { BlockProps } from "#webapp/kit/page-door.tsx";
import "./plain-blocks.css";

export function DividerBlock() {
  return <hr className="divider-block" />;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

export function CodeBlock({ block, edit }: BlockProps) {
  const code = textOf(block.content["code"]);
  return (
    <textarea
      className="code-block"
      aria-label={t("pages.code")}
      spellCheck={false}
      value={code}
      rows={Math.max(2, code.split("\n").length)}
      onChange={(event) => edit({ ...block.content, code: event.target.value })}
    />
  );
}

/** Kinds whose own screens are still to come show what they hold as text. */
function QuietBlock({ name, text }: { name: string; text: string }) {
  return (
    <figure className="quiet-block">
      <figcaption>{name}</figcaption>
      <p>{text}</p>
    </figure>
  );
}

export const EquationBlock = ({ block }: BlockProps) => (
  <QuietBlock name={t("pages.equation")} text={textOf(block.content["latex"])} />
);
export const ChatBlock = ({ block }: BlockProps) => (
  <QuietBlock name={t("pages.chat")} text={textOf(block.content["title"])} />
);
export const AnswerBlock = ({ block }: BlockProps) => (
  <QuietBlock name={t("pages.assistant_message")} text={textOf(block.content["text"])} />
);
export const UnknownBlock = ({ block }: BlockProps) => <QuietBlock name={block.type} text={t("pages.unknown_block")} />;
