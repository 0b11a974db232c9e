import { t } from "#shared/messages/translate.ts";
import type { BlockProps } from "../../page-port.tsx";
import "./plain-blocks.css";

export function DividerBlock() {
  return <hr className="divider-block" />;
}

/** A type that this version does not know; kept as it is. */
export const UnknownBlock = ({ block }: BlockProps) => (
  <figure className="quiet-block">
    <figcaption>{block.type}</figcaption>
    <p>{t("pages.unknown_block")}</p>
  </figure>
);
