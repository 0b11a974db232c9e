import { SmilePlus } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Page } from "#shared/pages/schema.ts";
import { t } from "#shared/messages/translate.ts";
import { IconButton } from "#shared/ui/controls/icon-button.tsx";
import { Menu } from "#shared/ui/overlays/menu.tsx";
import { useDraft } from "#webapp/app/hooks/use-draft.ts";
import { editPageFields } from "../session/open-page.ts";
import "./page-heading.css";

const DEBOUNCE_MS = 400;
/** A short selection for subjects; the system's picker has all others. */
const emojis = ["📘", "📝", "🧬", "🧪", "🧮", "📐", "🌍", "🏛️", "⚖️", "💻", "🩺", "🎨", "🎵", "🗣️", "📈", "💡"];

function EmojiMenu({ emoji }: { emoji: string | null }) {
  const label = t(emoji ? "pages.change_emoji" : "pages.add_emoji");
  const choices = emojis.map((choice) => ({ label: choice, onSelect: () => void editPageFields({ emoji: choice }) }));
  const removal = { label: t("pages.remove_emoji"), onSelect: () => void editPageFields({ emoji: null }) };
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

const rename = (title: string) => void editPageFields({ title });

/** The page title, saved while typing; Enter moves to the text. */
export function PageHeading({ page, onDone }: { page: Page; onDone: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { shown, write, end } = useDraft({ value: page.title, debounceMs: DEBOUNCE_MS, onValue: rename });
  useEffect(() => {
    if (page.title === "" && Date.now() - page.createdAt < 10_000) field.current?.focus();
    // Runs only when the page opens: the student first names a new page.
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
        value={shown}
        onChange={(event) => write(event.target.value.replaceAll(/[\r\n]+/g, " "))}
        onBlur={end}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
          event.preventDefault();
          onDone();
        }}
      />
    </div>
  );
}
