import { t } from "#shared/messages/translate.ts";
import type { BlockProps } from "../../page-port.tsx";
import "./plain-blocks.css";

export function DividerBlock() {
  return <hr className="divider-block" />;
}

/** A block of a type that this version does not know; its content stays unchanged. */
export const UnknownBlock = ({ block }: BlockProps) => (
  <figure className="quiet-block">
    <figcaption>{block.type}</figcaption>
    <p>{t("pages.unknown_block")}</p>
  </figure>
);
