import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { isOutsideSources } from "#shared/tutor/branches.ts";
import { translateAnswer, translatePart } from "#shared/tutor/phrases.ts";
import type { AnswerCitation, MessagePart } from "#shared/tutor/schema.ts";
import { AnswerText as Text } from "#shared/ui/content/answer-text.tsx";
import { Maths } from "#shared/ui/content/maths.tsx";
import { AnswerCitationBadge } from "./answer-citation-badge.tsx";

interface Props {
  text: string;
  parts?: readonly MessagePart[] | undefined;
  citations: readonly AnswerCitation[];
  pageOf: (deckId: string) => string | undefined;
  /** Flags blocks that no passage supports; used for external models. */
  flagsUnsupported: boolean;
}

const maths = (latex: string, isBlock: boolean) => <Maths latex={latex} display={isBlock} />;
const renderUnsupportedNote = (raw: string): ReactNode =>
  isOutsideSources(raw) ? <span className="answer-outside">{t("tutor.outside")}</span> : null;

/** The tutor's own phrases need no source. */
function noteUnlessPhrase(parts: readonly MessagePart[] = []) {
  const phrases = new Set(parts.filter(({ type }) => type === "phrase").map(translatePart));
  return (raw: string): ReactNode => (phrases.has(raw.trim()) ? null : renderUnsupportedNote(raw));
}

/** Renders an answer with its citation badges. */
export function AnswerText({ text, parts, citations, pageOf, flagsUnsupported }: Props): ReactNode {
  const renderCitation = (n: number) => {
    const cited = citations.find((each) => each.n === n);
    return cited ? <AnswerCitationBadge cited={cited} pageOf={pageOf} /> : null;
  };
  const after = flagsUnsupported ? noteUnlessPhrase(parts) : undefined;
  const shown = translateAnswer({ text, parts });
  return <Text text={shown} cite={renderCitation} maths={maths} after={after} tableName={t("tutor.name")} />;
}
