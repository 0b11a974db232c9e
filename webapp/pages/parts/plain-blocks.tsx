import { t } from "#shared/messages/translate.ts";
import type { BlockProps } from "#webapp/kit/page-door.tsx";
import "./plain-blocks.css";

export function DividerBlock() {
  return <hr className="divider-block" />;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : "");

/** Kinds whose own screens are still to come show what they hold as text. */
function QuietBlock({ name, text }: { name: string; text: string }) {
  return (
    <figure className="quiet-block">
      <figcaption>{name}</figcaption>
      <p>{text}</p>
    </figure>
  );
}

export const ChatBlock = ({ block }: BlockProps) => (
  <QuietBlock name={t("pages.chat")} text={textOf(block.content["title"])} />
);
export const AnswerBlock = ({ block }: BlockProps) => (
  <QuietBlock name={t("pages.assistant_message")} text={textOf(block.content["text"])} />
);
export const UnknownBlock = ({ block }: BlockProps) => <QuietBlock name={block.type} text={t("pages.unknown_block")} />;
