import { t } from "#shared/messages/translate.ts";
import type { BlockProps } from "../../page-door.tsx";
import "./plain-blocks.css";

export function DividerBlock() {
  return <hr className="divider-block" />;
}

/** A kind that this version does not know: it stays on the page as it is. */
export const UnknownBlock = ({ block }: BlockProps) => (
  <figure className="quiet-block">
    <figcaption>{block.type}</figcaption>
    <p>{t("pages.unknown_block")}</p>
  </figure>
);
