import { useAtomValue } from "jotai/react";
import { MessageSquareText } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { NoAnswer } from "#shared/client/client.ts";
import { parseCitation, type Citation } from "#shared/citations.ts";
import { t } from "#shared/messages/translate.ts";
import { componentContents } from "#shared/pages/schema.ts";
import { screenPath } from "#shared/screens.ts";
import { branchTo } from "#shared/tutor/branches.ts";
import type { AnswerCitation, Message } from "#shared/tutor/schema.ts";
import { Button } from "#shared/ui/controls/button.tsx";
import { Skeleton } from "#shared/ui/skeleton.tsx";
import { client } from "#webapp/app/client.ts";
import { contentAtom } from "#webapp/library/content.ts";
import { logTrouble } from "#webapp/app/log.ts";
import { goTo } from "#webapp/app/navigation.ts";
import type { BlockProps } from "#webapp/pages/page-door.tsx";
import { placesOf } from "#webapp/library/places.ts";
import { AnswerText } from "./parts/answer-text.tsx";
import { Cited, placeIn } from "./parts/cited.tsx";
import "./parts/conversation-view.css";
import "./message-blocks.css";

const sourceOf = (citation: Citation) =>
  citation.type === "page_citation" ? citation.pageId : citation.type === "web_citation" ? "" : citation.componentId;

/** Numbers the citations of a stored message and resolves the current titles of their sources. */
function useCitations(written: readonly string[]) {
  const content = useAtomValue(contentAtom);
  return useMemo(() => {
    const places = placesOf(content);
    const citations = written.flatMap((text, at): AnswerCitation[] => {
      const parsed = parseCitation(text);
      if (!parsed) return [];
      const title = places.get(sourceOf(parsed))?.title || t("study.cite_note");
      return [{ n: at + 1, citation: text, quote: parsed.quote ?? "", passage: "", title, place: placeIn(parsed) }];
    });
    return { citations, pageOf: (deckId: string) => places.get(deckId)?.pageId };
  }, [content, written]);
}

/** A tutor answer on a page: its text, with the sources that have no marker listed below. */
export function AnswerBlock({ block }: BlockProps) {
  const parsed = componentContents.assistant_message.safeParse(block.content);
  return parsed.success ? (
    <Answer text={parsed.data.text} written={parsed.data.citations} />
  ) : (
    <p className="message-block">{t("pages.unknown_block")}</p>
  );
}

function Answer({ text, written }: { text: string; written: readonly string[] }) {
  const { citations, pageOf } = useCitations(written);
  const loose = citations.filter(({ n }) => !text.includes(`[^${n}]`));
  return (
    <section className="message-block" aria-label={t("pages.assistant_message")}>
      <p className="message-block-name">{t("pages.assistant_message")}</p>
      <AnswerText text={text} citations={citations} pageOf={pageOf} tellsOutside={false} />
      {loose.length > 0 && (
        <p className="message-block-sources">
          {t("tutor.block_sources")}
          {loose.map((cited) => (
            <Cited key={cited.n} cited={{ ...cited, place: cited.place || cited.title }} pageOf={pageOf} />
          ))}
        </p>
      )}
    </section>
  );
}

type Talk = { state: "loading" | "offline" | "gone" } | { state: "ready"; title: string; said: readonly Message[] };

const NONE: readonly string[] = [];
/** One question and its answer. */
const SHOWN = 2;

function useTalk(threadId: string): Talk {
  const [talk, setTalk] = useState<Talk>({ state: threadId === "" ? "gone" : "loading" });
  useEffect(() => {
    if (threadId === "") return undefined;
    let isGone = false;
    const load = async (): Promise<Talk> => {
      try {
        const { thread, messages } = await client.tutor.getThread({ threadId });
        return { state: "ready", title: thread.title, said: branchTo(messages, thread.head).slice(-SHOWN) };
      } catch (error) {
        if (error instanceof NoAnswer) return { state: "offline" };
        logTrouble("Could not load a conversation on a page", error);
        return { state: "gone" };
      }
    };
    void load().then((loaded) => !isGone && setTalk(loaded));
    return () => {
      isGone = true;
    };
  }, [threadId]);
  return talk;
}

/** A conversation on a page: its latest messages, and a button that opens it. */
export function ChatBlock({ block }: BlockProps) {
  const parsed = componentContents.chat.safeParse(block.content);
  const { threadId, title } = parsed.success ? parsed.data : { threadId: "", title: "" };
  const talk = useTalk(threadId);
  const name = title || (talk.state === "ready" ? talk.title : "") || t("pages.chat");
  return (
    <section className="message-block" aria-label={name}>
      <p className="message-block-name">
        <MessageSquareText aria-hidden /> {name}
      </p>
      {talk.state === "loading" && <Skeleton label={t("common.loading")} lines={[60, 100, 90]} height={14} />}
      {talk.state === "gone" && <p className="message-block-said">{t("tutor.block_gone")}</p>}
      {talk.state === "offline" && <p className="message-block-said">{t("tutor.block_offline")}</p>}
      {talk.state === "ready" && talk.said.map((message) => <Said key={message._id} message={message} />)}
      {talk.state !== "gone" && (
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

function Said({ message: { role, text, citations } }: { message: Message }) {
  const { pageOf } = useCitations(NONE);
  if (role === "user")
    return (
      <div className="message message-question">
        <p className="message-words">{text}</p>
      </div>
    );
  return <AnswerText text={text} citations={citations} pageOf={pageOf} tellsOutside={false} />;
}
