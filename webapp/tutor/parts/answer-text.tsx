import type { ReactNode } from "react";
import { t } from "#shared/messages/translate.ts";
import { splitAtMore } from "#shared/tutor/message-parts.ts";
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
  /** Whether each citation names its source, because the answer uses several sources. */
  namesSources?: boolean;
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

/**
 * The class for the typography: excerpts that answer the question look like a document, and close passages are small.
 */
function classOf([first]: readonly MessagePart[]): string | undefined {
  if (first?.type !== "phrase") return undefined;
  if (first.key === "closest" || first.key === "nothing") return `answer-${first.key}`;
  return first.key === "builtin_lead" ? "answer-excerpts" : undefined;
}

/** Renders an answer with its citation badges. Further passages are collapsed. */
export function AnswerText({
  text,
  parts,
  citations,
  namesSources = false,
  pageOf,
  flagsUnsupported,
}: Props): ReactNode {
  const renderCitation = (n: number) => {
    const cited = citations.find((citation) => citation.n === n);
    return cited ? <AnswerCitationBadge cited={cited} namesSource={namesSources} pageOf={pageOf} /> : null;
  };
  const after = flagsUnsupported ? noteUnsupported(parts) : undefined;
  const render = (shown: string) => (
    <Text text={shown} cite={renderCitation} maths={maths} after={after} tableName={t("tutor.name")} />
  );
  if (!parts) return render(translateAnswer({ text }));
  const { shown, more } = splitAtMore(parts);
  return (
    <div className={classOf(parts)}>
      {render(translateAnswer({ text, parts: shown }))}
      {more.length > 0 && (
        <details className="answer-more">
          <summary>
            {t("tutor.passages_more", { count: more.filter(({ type }) => type === "citation").length })}
          </summary>
          {render(translateAnswer({ text: "", parts: more }))}
        </details>
      )}
    </div>
  );
}
