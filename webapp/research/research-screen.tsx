import { useNavigate, useSearch } from "@tanstack/react-router";
import { useAtomValue } from "jotai/react";
import { useEffect, useState } from "react";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import { accountIdAtom } from "#webapp/app/session/account-atom.ts";
import { useMediaQuery } from "#webapp/app/hooks/use-media-query.ts";
import { onRemoteChanges } from "#webapp/offline/remote-change-listeners.ts";
import { loadUsage } from "#webapp/user/usage.ts";
import { OpenSession } from "./open-session.ts";
import { Dialogue } from "./parts/dialogue.tsx";
import {
  DepthChoice,
  FoldedChoices,
  QuestionCost,
  QuestionForm,
  ResearchOptions,
  SourceSwitches,
} from "./parts/question-form.tsx";
import { SessionList } from "./parts/session-list.tsx";
import { loadResearchList, loadSearchSources } from "./state.ts";
import "./research-screen.css";

/** The question in the URL with which the extension opens this screen. */
function useProposedQuestion(): string {
  const { q }: { q?: unknown } = useSearch({ strict: false });
  // A word that looks like a number or a list is parsed as one from the query string.
  return typeof q === "string" ? q : q === undefined ? "" : JSON.stringify(q);
}

/** On a phone the choices are folded, so that the button is on the first screen. */
const PHONE = "(max-width: 560px)";

function Choices() {
  const isPhone = useMediaQuery(PHONE);
  if (isPhone) return <FoldedChoices />;
  return (
    <>
      <div className="research-choices">
        <DepthChoice />
        <QuestionCost />
      </div>
      <SourceSwitches />
      <ResearchOptions />
    </>
  );
}

/** The screen where research starts: the question, its depth and sources, and the earlier sessions. */
export function ResearchScreen() {
  const [live] = useState(() => new OpenSession());
  const snapshot = useAtomValue(live.atom);
  const { isSending, dialogue, refusal } = snapshot;
  const accountId = useAtomValue(accountIdAtom);
  const navigate = useNavigate();
  const proposed = useProposedQuestion();
  useEffect(() => {
    if (accountId === undefined) return undefined;
    void loadResearchList();
    void loadSearchSources();
    void loadUsage();
    return onRemoteChanges((changes) => {
      if (changes.some(({ kind, isTextOnly }) => kind === "research" && isTextOnly !== true)) void loadResearchList();
    });
  }, [accountId]);
  const isClarifying = dialogue.length > 0 && !isSending;
  const ask = async (text: string) => {
    const id = await live.ask(text);
    if (id !== undefined) await navigate({ to: screenPath("researchSession", { id }) });
  };
  return (
    <div className="research-start">
      <h1>{t("research.title")}</h1>
      <p className="research-intro">{t("research.intro")}</p>
      <Dialogue live={live} snapshot={snapshot} />
      <QuestionForm
        // A new key puts a refused question back into the field.
        key={refusal?.text ?? ""}
        isPrimary
        rows={isClarifying ? 1 : 3}
        label={t(isClarifying ? "research.your_answer" : "research.question")}
        placeholder={t(isClarifying ? "research.answer_placeholder" : "research.placeholder")}
        button={t(isClarifying ? "research.send" : "research.start")}
        isPending={isSending}
        initialText={refusal?.text ?? (isClarifying ? "" : proposed)}
        onSend={(text) => void ask(text)}
      >
        <Choices />
      </QuestionForm>
      {refusal && (
        <p role="alert" className="research-refusal">
          {refusal.message}
        </p>
      )}
      <SessionList />
    </div>
  );
}
