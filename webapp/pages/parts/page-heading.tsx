import { SmilePlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Page } from "#shared/pages/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/icon-button.tsx";
import { Menu } from "#shared/ui/menu.tsx";
import { changePage } from "../state.ts";
import "./page-heading.css";

const QUIET_MS = 400;
/** A few that tell subjects apart; the system's own picker has the rest. */
const emojis = ["📘", "📝", "🧬", "🧪", "🧮", "📐", "🌍", "🏛️", "⚖️", "💻", "🩺", "🎨", "🎵", "🗣️", "📈", "💡"];

function EmojiMenu({ emoji }: { emoji: string | null }) {
  const label = t(emoji ? "pages.change_emoji" : "pages.add_emoji");
  const choices = emojis.map((each) => ({ label: each, onSelect: () => void changePage({ emoji: each }) }));
  const removal = { label: t("pages.remove_emoji"), onSelect: () => void changePage({ emoji: null }) };
  return (
    <Menu
      align="start"
      trigger={
        <IconButton
          className="page-emoji"
          label={label}
          icon={emoji ? <span aria-hidden>{emoji}</span> : <SmilePlus aria-hidden />}
        />
      }
      groups={[emoji ? [removal] : [], choices]}
    />
  );
}

/** The page's name, kept while it is typed; Enter goes on to the text. */
export function PageHeading({ page, onDone }: { page: Page; onDone: () => void }) {
  const [draft, setDraft] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const commit = useRef(() => {});
  useEffect(() => {
    commit.current = () => {
      if (draft !== null && draft !== page.title) void changePage({ title: draft });
    };
  });
  useEffect(() => {
    if (draft === null) return undefined;
    const timer = setTimeout(() => commit.current(), QUIET_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  useEffect(() => {
    if (page.title === "" && Date.now() - page.createdAt < 10_000) field.current?.focus();
    return () => commit.current();
    // Only as the page opens: a new one is named first.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return (
    <div className="page-heading">
      <EmojiMenu emoji={page.emoji} />
      <h1 className="visually-hidden">{page.title || t("pages.untitled")}</h1>
      <textarea
        ref={field}
        className="page-title"
        rows={1}
        aria-label={t("pages.title")}
        placeholder={t("pages.untitled")}
        maxLength={500}
        value={draft ?? page.title}
        onChange={(event) => setDraft(event.target.value.replaceAll(/[\r\n]+/g, " "))}
        onBlur={() => {
          commit.current();
          setDraft(null);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
          event.preventDefault();
          onDone();
        }}
      />
    </div>
  );
}
