import { useCallback } from "react";
import type { ConversationDetails } from "#shared/admin/lists-contract.ts";
import { documentLanguage } from "#shared/messages/language.ts";
import { t } from "#shared/messages/translate.ts";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { adminClient } from "#webapp/app/admin-client.ts";
import { useAsyncValue } from "#webapp/app/hooks/use-async-value.ts";
import { useScreenParams } from "#webapp/app/use-screen-params.ts";
import { AdminFrame, LoadError } from "./admin-frame.tsx";
import { FactList } from "./parts/fact-list.tsx";

/**
 * `/admin/conversation_history/:id`: a conversation that a student shared or that is in the prompt log. The student can
 * see that it was opened.
 */
export function ConversationScreen() {
  const { id } = useScreenParams("adminConversation");
  return (
    <AdminFrame tab="adminConversations" title={t("lists.conversation")}>
      <Conversation key={id} id={id} />
    </AdminFrame>
  );
}

function Conversation({ id }: { id: string }) {
  const read = useCallback(async () => (await adminClient.getConversation({ id })).conversation, [id]);
  const { answer, retry } = useAsyncValue(read);
  if (answer.state === "loading") return <Skeleton label={t("common.loading")} lines={[40, 100, 100]} height={24} />;
  if (answer.state === "failed") return <LoadError error={answer.error} onRetry={retry} />;
  return <Details conversation={answer.value} />;
}

const roleNames: Readonly<Record<string, () => string>> = {
  system: () => t("lists.role_system"),
  user: () => t("lists.role_user"),
  assistant: () => t("lists.role_answer"),
  answer: () => t("lists.role_answer"),
  card: () => t("lists.role_card"),
};

const timeFormat = new Intl.DateTimeFormat(documentLanguage(), { dateStyle: "medium", timeStyle: "short" });

const formatCitations = (citations: ConversationDetails["citations"]) =>
  citations === null ? "–" : t("lists.citations_of", citations);

function Details({ conversation }: { conversation: ConversationDetails }) {
  const { source, at, model, thumb, reason, citations, turns } = conversation;
  const facts = [
    [t("lists.source"), t(`lists.source_${source}`)],
    [t("lists.when"), timeFormat.format(at)],
    [t("lists.model"), model],
    [t("lists.thumb"), thumb === null ? "–" : t(`lists.thumb_${thumb}`)],
    [t("lists.reason"), reason || "–"],
    [t("lists.citations"), formatCitations(citations)],
  ] as const;
  return (
    <>
      <p role="note">{t("lists.access_recorded")}</p>
      <FactList facts={facts} />
      {turns.map(({ role, text }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the turns never change
        <section key={index} className="admin-section">
          <h2>{roleNames[role]?.() ?? role}</h2>
          <p className="admin-words">{text}</p>
        </section>
      ))}
    </>
  );
}
