import { useAtomValue } from "jotai/react";
import { parseCitation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import type { ResearchSession } from "#shared/research/schema.ts";
import { CiteBadge } from "#shared/ui/content/cite-badge.tsx";
import { openCitation } from "#webapp/library/citation-navigation.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { canOpenCited } from "./cited-source.ts";
import { formatResearchCitation } from "./source-name.ts";

export interface CitationProps {
  session: ResearchSession;
  /** The citation under the pointer or the keyboard focus. */
  onHighlight: (citation: number | null) => void;
  onShow: (source: number, quote: string | null) => void;
}

/** The badge of a citation; nothing if the session has no citation with this number. */
export function SentenceCitation({ n, session, onHighlight, onShow }: CitationProps & { n: number }) {
  const content = useAtomValue(contentAtom);
  const cited = session.citations.find((citation) => citation.n === n);
  const source = session.sources.find((candidate) => candidate.n === cited?.source);
  if (!cited || !source) return null;
  const target = cited.citation === null ? undefined : parseCitation(cited.citation);
  const canOpen = target !== undefined && !session.read_only && canOpenCited(target, source, content);
  const place = formatResearchCitation(cited, source);
  const highlight = () => onHighlight(cited.n);
  const clear = () => onHighlight(null);
  return (
    <span
      className="research-cite"
      onPointerEnter={highlight}
      onPointerLeave={clear}
      onFocus={highlight}
      onBlur={clear}
    >
      <CiteBadge
        place={place}
        label={`${place}: ${t("research.cite_label", { n: source.n, title: source.title || t("common.untitled") })}`}
        quote={cited.quote}
        passage={cited.passage}
        source={source.title || t("common.untitled")}
        onOpen={() => (canOpen ? openCitation(target) : onShow(source.n, cited.quote))}
      />
    </span>
  );
}
