import type { AdminPost, NewPost, PostHead } from "#shared/admin/posts-contract.ts";
import { toSlug } from "#shared/marketing/post-address.ts";

export type PostLanguage = "en" | "de";

type Text = PostHead & { body: string };

/** A post that is being written. Every language has fields, but a language without a title is not saved. */
export interface PostDraft {
  slug: string;
  date: string;
  isPublished: boolean;
  texts: Record<PostLanguage, Text>;
}

const emptyText: Text = { title: "", description: "", topicName: "", body: "" };

export const emptyDraft = (date: string): PostDraft => ({
  slug: "",
  date,
  isPublished: false,
  texts: { en: emptyText, de: emptyText },
});

export const toDraft = ({ slug, date, isPublished, summaries, bodies }: AdminPost): PostDraft => {
  const textOf = (language: PostLanguage) => ({ ...emptyText, ...summaries[language], body: bodies[language] ?? "" });
  return { slug, date, isPublished, texts: { en: textOf("en"), de: textOf("de") } };
};

const isWritten = ({ title }: Text) => title.trim() !== "";

/** The address is derived from the title until the author types one. */
export const slugOf = ({ slug, texts: { en, de } }: PostDraft): string =>
  slug.trim() === "" ? toSlug(isWritten(en) ? en.title : de.title) : slug.trim();

/** The field that must be filled in before the post can be saved; undefined if there is none. */
export function findGap({ texts: { en, de } }: PostDraft): "title" | "topic" | undefined {
  const written = [en, de].filter(isWritten);
  if (written.length === 0) return "title";
  return written.some(({ topicName }) => topicName.trim() === "") ? "topic" : undefined;
}

const headOf = ({ title, description, topicName }: Text): PostHead => ({ title, description, topicName });

/** The topic's id comes from its English name, or from the German name if the post has no English text. */
export function toNewPost(draft: PostDraft, isPublished: boolean): NewPost {
  const { date, texts } = draft;
  const languages = (["en", "de"] as const).filter((language) => isWritten(texts[language]));
  const [first = "en"] = languages;
  return {
    slug: slugOf(draft),
    topic: toSlug(texts[first].topicName),
    date,
    isPublished,
    summaries: Object.fromEntries(languages.map((language) => [language, headOf(texts[language])])),
    bodies: Object.fromEntries(languages.map((language) => [language, texts[language].body])),
  };
}

const storageKey = (id: string | undefined) => `lamplight_post:${id ?? "new"}`;

interface StoredDraft {
  /** The version of the post that the draft changes; 0 for a new post. */
  version: number;
  draft: PostDraft;
}

/** The unsaved draft of an earlier visit; undefined if there is none or the post has changed since. */
export function readStoredDraft(id: string | undefined, version: number): PostDraft | undefined {
  const text = localStorage.getItem(storageKey(id));
  if (text === null) return undefined;
  const stored = JSON.parse(text) as StoredDraft;
  return stored.version === version ? stored.draft : undefined;
}

export const storeDraft = (id: string | undefined, stored: StoredDraft): void =>
  localStorage.setItem(storageKey(id), JSON.stringify(stored));
export const removeStoredDraft = (id: string | undefined): void => localStorage.removeItem(storageKey(id));
