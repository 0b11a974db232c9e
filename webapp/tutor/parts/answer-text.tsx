import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { translateAnswer } from "#shared/tutor/phrases.ts";
import type { AnswerCitation, MessagePart } from "#shared/tutor/schema.ts";
import { createClaimCheck } from "#shared/tutor/unsupported-claims.ts";
import { AnswerText as Text } from "#shared/ui/content/answer-text.tsx";
import { Maths } from "#shared/ui/content/maths.tsx";
import { AnswerCitationBadge } from "./answer-citation-badge.tsx";

interface Props {
  text: string;
  parts?: MessagePart[] | undefined;
  citations: readonly AnswerCitation[];
  pageOf: (deckId: string) => string | undefined;
  /** Flags blocks that no passage supports; used for external models. */
  flagsUnsupported: boolean;
}

const maths = (latex: string, isBlock: boolean) => <Maths latex={latex} display={isBlock} />;

function noteUnsupported(parts: MessagePart[] | undefined) {
  const isUnsupported = createClaimCheck(parts);
  return (raw: string): ReactNode =>
    isUnsupported(raw) ? <span className="answer-outside">{t("tutor.outside")}</span> : null;
}

/** Renders an answer with its citation badges. */
export function AnswerText({ text, parts, citations, pageOf, flagsUnsupported }: Props): ReactNode {
  const renderCitation = (n: number) => {
    const cited = citations.find((each) => each.n === n);
    return cited ? <AnswerCitationBadge cited={cited} pageOf={pageOf} /> : null;
  };
  const after = flagsUnsupported ? noteUnsupported(parts) : undefined;
  const shown = translateAnswer({ text, parts });
  return <Text text={shown} cite={renderCitation} maths={maths} after={after} tableName={t("tutor.name")} />;
}
