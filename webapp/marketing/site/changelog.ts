import { announcements } from "#shared/marketing/announcements.ts";
import { formatDay } from "#shared/marketing/format-day.ts";
import { news as german } from "#shared/messages/de/app/news.ts";
import { news as english } from "#shared/messages/en/app/news.ts";
import { screenPath } from "#shared/screens.ts";
import type { MarkdownPage } from "./markdown-pages.ts";

const heads = {
  en: { title: "What's new", description: "What has changed in Lamplight, the newest first." },
  de: { title: "Neuigkeiten", description: "Was sich in Lamplight geändert hat, das Neueste zuerst." },
} as const;

/** The changelog page, from the announcements that the app shows after an update. */
export function changelogPage(language: "en" | "de"): MarkdownPage {
  const words: Readonly<Record<string, string>> = language === "de" ? german : english;
  const word = (key: string) => words[key.replace("news.", "")] ?? "";
  const html = announcements.map(({ title, date, description }) => {
    const blocks = description.map((block) =>
      block.kind === "paragraph"
        ? `<p>${word(block.text)}</p>`
        : `<ul>${block.items.map((item) => `<li>${word(item)}</li>`).join("")}</ul>`,
    );
    return `<h2>${word(title)}</h2><p class="post-date"><time datetime="${date}">${formatDay(date, language)}</time></p>${blocks.join("")}`;
  });
  return { path: screenPath("changelog", {}), ...heads[language], html: html.join(""), text: "" };
}
