import { useAtomValue } from "jotai/react";
import { MessageSquareText } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { NoResponseError } from "#shared/client/client.ts";
import { parseCitation, type Citation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { componentContents } from "#shared/pages/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { branchEndingAt } from "#shared/tutor/branches.ts";
import type { AnswerCitation, Message } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { client } from "#webapp/app/client.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { logWarning } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import type { BlockProps } from "#webapp/pages/page-port.tsx";
import { indexLibraryItems } from "#webapp/library/library-items.ts";
import { AnswerText } from "./parts/answer-text.tsx";
import { AnswerCitationBadge, formatLocation } from "./parts/answer-citation-badge.tsx";
import "./parts/conversation-view.css";
import "./message-blocks.css";

const getSourceId = (citation: Citation) =>
  citation.type === "page_citation" ? citation.pageId : citation.type === "web_citation" ? "" : citation.componentId;

/** Numbers the citations of a stored message and resolves the current titles of their sources. */
function useCitations(citationTexts: readonly string[]) {
  const content = useAtomValue(contentAtom);
  return useMemo(() => {
    const sourcesById = indexLibraryItems(content);
    const citations = citationTexts.flatMap((text, index): AnswerCitation[] => {
      const parsed = parseCitation(text);
      if (!parsed) return [];
      const title = sourcesById.get(getSourceId(parsed))?.title || t("study.cite_note");
      return [
        { n: index + 1, citation: text, quote: parsed.quote ?? "", passage: "", title, place: formatLocation(parsed) },
      ];
    });
    return { citations, pageOf: (deckId: string) => sourcesById.get(deckId)?.pageId };
  }, [content, citationTexts]);
}

/** An answer of the tutor on a page. Sources without a citation marker in the text are listed below it. */
export function AnswerBlock({ block }: BlockProps) {
  const parsed = componentContents.assistant_message.safeParse(block.content);
  return parsed.success ? (
    <Answer text={parsed.data.text} citationTexts={parsed.data.citations} />
  ) : (
    <p className="message-block">{t("pages.unknown_block")}</p>
  );
}

function Answer({ text, citationTexts }: { text: string; citationTexts: readonly string[] }) {
  const { citations, pageOf } = useCitations(citationTexts);
  const unmarkedCitations = citations.filter(({ n }) => !text.includes(`[^${n}]`));
  return (
    <section className="message-block" aria-label={t("pages.assistant_message")}>
      <p className="message-block-name">{t("pages.assistant_message")}</p>
      <AnswerText text={text} citations={citations} pageOf={pageOf} flagsUnsupported={false} />
      {unmarkedCitations.length > 0 && (
        <p className="message-block-sources">
          {t("tutor.block_sources")}
          {unmarkedCitations.map((cited) => (
            <AnswerCitationBadge
              key={cited.n}
              cited={{ ...cited, place: cited.place || cited.title }}
              pageOf={pageOf}
            />
          ))}
        </p>
      )}
    </section>
  );
}

type ChatPreview =
  | { state: "loading" | "offline" | "gone" }
  | { state: "ready"; title: string; messages: readonly Message[] };

const NO_CITATIONS: readonly string[] = [];
/** One question and its answer. */
const PREVIEW_MESSAGE_COUNT = 2;

function useChatPreview(threadId: string): ChatPreview {
  const [preview, setPreview] = useState<ChatPreview>({ state: threadId === "" ? "gone" : "loading" });
  useEffect(() => {
    if (threadId === "") return undefined;
    let isCancelled = false;
    const load = async (): Promise<ChatPreview> => {
      try {
        const { thread, messages } = await client.tutor.getThread({ threadId });
        return {
          state: "ready",
          title: thread.title,
          messages: branchEndingAt(messages, thread.head).slice(-PREVIEW_MESSAGE_COUNT),
        };
      } catch (error) {
        if (error instanceof NoResponseError) return { state: "offline" };
        logWarning("Could not load a conversation on a page", error);
        return { state: "gone" };
      }
    };
    void load().then((loaded) => !isCancelled && setPreview(loaded));
    return () => {
      isCancelled = true;
    };
  }, [threadId]);
  return preview;
}

/** A conversation on a page: its latest messages, and a button that opens it. */
export function ChatBlock({ block }: BlockProps) {
  const parsed = componentContents.chat.safeParse(block.content);
  const { threadId, title } = parsed.success ? parsed.data : { threadId: "", title: "" };
  const preview = useChatPreview(threadId);
  const name = title || (preview.state === "ready" ? preview.title : "") || t("pages.chat");
  return (
    <section className="message-block" aria-label={name}>
      <p className="message-block-name">
        <MessageSquareText aria-hidden /> {name}
      </p>
      {preview.state === "loading" && <Skeleton label={t("common.loading")} lines={[60, 100, 90]} height={14} />}
      {preview.state === "gone" && <p className="message-block-notice">{t("tutor.block_deleted")}</p>}
      {preview.state === "offline" && <p className="message-block-notice">{t("tutor.block_offline")}</p>}
      {preview.state === "ready" &&
        preview.messages.map((message) => <PreviewMessage key={message._id} message={message} />)}
      {preview.state !== "gone" && (
        <Button
          variant="quiet"
          onClick={() => goTo(`${screenPath("chat", {})}?thread=${encodeURIComponent(threadId)}`)}
        >
          {t("tutor.block_open")}
        </Button>
      )}
    </section>
  );
}

function PreviewMessage({ message: { role, text, parts, citations } }: { message: Message }) {
  const { pageOf } = useCitations(NO_CITATIONS);
  if (role === "user")
    return (
      <div className="message message-question">
        <p className="message-words">{text}</p>
      </div>
    );
  return <AnswerText text={text} parts={parts} citations={citations} pageOf={pageOf} flagsUnsupported={false} />;
}
