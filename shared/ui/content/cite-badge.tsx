import type { ReactNode } from "react";
import { Tooltip } from "../overlays/tooltip.tsx";
import { quoteContext } from "../quote-context.ts";
import "./cite-badge.css";

interface Props {
  /** The short location: "p. 12", "13:58". */
  place: string;
  /** The accessible name; it starts with the location: "p. 12 of Lecture 9.pdf". */
  label: string;
  /** The quoted words, shown on hover and focus. */
  quote?: string | undefined;
  /** The passage around the quoted words, as context. */
  passage?: string | undefined;
  source?: string | undefined;
  /** Opens the citation; without it the badge is only informative. */
  onOpen?: (() => void) | undefined;
  /** For a citation of a web page, which opens in a new tab. */
  href?: string | undefined;
}

type Shown = Pick<Props, "passage" | "source"> & { quote: string };

function Quoted({ quote, passage = "", source }: Shown): ReactNode {
  const { before, after } = quoteContext(passage, quote);
  return (
    <>
      {source !== undefined && <span className="cite-badge-source">{source}</span>}
      <span className="cite-badge-quote">
        {before}
        <span className="lit">{quote}</span>
        {after}
      </span>
    </>
  );
}

/** A citation badge. It is amber because the cited passage can be checked. */
export function CiteBadge({ place, label, quote, passage, source, onOpen, href }: Props) {
  const badge =
    href === undefined ? (
      <button type="button" className="cite-badge" aria-label={label} onClick={onOpen}>
        {place}
      </button>
    ) : (
      <a className="cite-badge" aria-label={label} href={href} target="_blank" rel="noopener noreferrer">
        {place}
      </a>
    );
  if (quote === undefined) return badge;
  return <Tooltip content={<Quoted quote={quote} passage={passage} source={source} />}>{badge}</Tooltip>;
}
