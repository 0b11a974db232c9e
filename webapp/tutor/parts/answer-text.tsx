import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { isOutsideSources } from "#shared/tutor/branches.ts";
import { translatePhrases } from "#shared/tutor/translate-phrases.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import { AnswerText as Text } from "#shared/ui/content/answer-text.tsx";
import { Maths } from "#shared/ui/content/maths.tsx";
import { AnswerCitationBadge } from "./answer-citation-badge.tsx";

interface Props {
  text: string;
  citations: readonly AnswerCitation[];
  pageOf: (deckId: string) => string | undefined;
  /** Flags blocks that no passage supports; used for external models. */
  flagsUnsupported: boolean;
}

const maths = (latex: string, isBlock: boolean) => <Maths latex={latex} display={isBlock} />;
const renderUnsupportedNote = (raw: string): ReactNode =>
  isOutsideSources(raw) ? <span className="answer-outside">{t("tutor.outside")}</span> : null;

/** Renders an answer with its citation badges. */
export function AnswerText({ text, citations, pageOf, flagsUnsupported }: Props): ReactNode {
  const renderCitation = (n: number) => {
    const cited = citations.find((each) => each.n === n);
    return cited ? <AnswerCitationBadge cited={cited} pageOf={pageOf} /> : null;
  };
  const after = flagsUnsupported ? renderUnsupportedNote : undefined;
  return (
    <Text text={translatePhrases(text)} cite={renderCitation} maths={maths} after={after} tableName={t("tutor.name")} />
  );
}
