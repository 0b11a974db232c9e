import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { isOutsideSources } from "#shared/tutor/branches.ts";
import { inWordsHere } from "#shared/tutor/own-words.ts";
import type { AnswerCitation } from "#shared/tutor/schema.ts";
import { AnswerText as Text } from "#shared/ui/content/answer-text.tsx";
import { Maths } from "#shared/ui/content/maths.tsx";
import { Cited } from "./cited.tsx";

interface Props {
  text: string;
  citations: readonly AnswerCitation[];
  pageOf: (deckId: string) => string | undefined;
  /** Flags blocks that no passage supports; used for external models. */
  tellsOutside: boolean;
}

const maths = (latex: string, isBlock: boolean) => <Maths latex={latex} display={isBlock} />;
const outside = (raw: string): ReactNode =>
  isOutsideSources(raw) ? <span className="answer-outside">{t("tutor.outside")}</span> : null;

/** Renders an answer with its citation badges. */
export function AnswerText({ text, citations, pageOf, tellsOutside }: Props): ReactNode {
  const cite = (n: number) => {
    const cited = citations.find((each) => each.n === n);
    return cited ? <Cited cited={cited} pageOf={pageOf} /> : null;
  };
  const after = tellsOutside ? outside : undefined;
  return <Text text={inWordsHere(text)} cite={cite} maths={maths} after={after} tableName={t("tutor.name")} />;
}
