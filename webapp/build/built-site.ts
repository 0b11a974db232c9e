import type { StarterPage } from "#shared/sharing/starter.ts";

/** The parts of the build that public pages contain or link to. */
export interface SiteAssets {
  /** Rules of every page. Styles and the first script are inlined, so that the first paint needs no second request. */
  css: string;
  /** The script that runs before the first paint. */
  boot: string;
  /** Fonts needed for the first paint. */
  fonts: readonly string[];
  /** Scripts by entry: first the entry itself, then its imports. */
  scripts: Readonly<Record<string, readonly string[]>>;
  /** Rules by entry. */
  styles: Readonly<Record<string, string>>;
}

/** A public page, with what the build and the server need. */
export interface BuiltPage {
  path: string;
  language: string;
  title: string;
  /** The title without the product's name, for the preview picture. */
  name: string;
  picture: string;
  date: string | undefined;
  html: string;
  /** Names of the script entries that the page loads. */
  scripts: readonly string[];
}

/** A post of a new installation, with its texts in each language. */
export interface SeedPost {
  slug: string;
  topic: string;
  date: string;
  summaries: Record<string, { title: string; description: string; topicName: string }>;
  bodies: Record<string, string>;
}

export interface BuiltSite {
  pages: BuiltPage[];
  /** Templates that the server fills with posts and topics. */
  shells: { language: string; name: "post" | "topic"; html: string }[];
  /** The search index of the help articles, by language. */
  search: Record<string, { path: string; title: string; about: string; text: string }[]>;
  seedPosts: SeedPost[];
  /** The content of Explore on a new installation. */
  starter: StarterPage[];
}

/** A form of the app in its initial state. */
export interface PrerenderedForm {
  path: string;
  language: "en" | "de";
  title: string;
  markup: string;
}
