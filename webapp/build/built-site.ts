import type { StarterPage } from "#shared/sharing/starter.ts";

/** What public pages contain or link to of the build. */
export interface SiteAssets {
  /** Rules of every page. Styles and the first script are part of the document, so that it is painted without a second request. */
  css: string;
  /** The script that runs before the first paint. */
  boot: string;
  /** Fonts needed for the first paint. */
  fonts: readonly string[];
  /** Scripts by entry: the entry itself, then what it imports. */
  scripts: Readonly<Record<string, readonly string[]>>;
  /** Rules by entry. */
  styles: Readonly<Record<string, string>>;
}

/** A public page as the build and the server need to know it. */
export interface BuiltPage {
  path: string;
  language: string;
  title: string;
  /** The title without the product's name, for the picture. */
  name: string;
  picture: string;
  date: string | undefined;
  html: string;
  /** The entries of its scripts. */
  scripts: readonly string[];
}

/** A post of a new installation, with what it says in each language. */
export interface SeedPost {
  slug: string;
  topic: string;
  date: string;
  heads: Record<string, { title: string; description: string; topicName: string }>;
  bodies: Record<string, string>;
}

export interface BuiltSite {
  pages: BuiltPage[];
  /** What posts and topics are filled into. */
  shells: { language: string; name: "post" | "topic"; html: string }[];
  /** For the search of the help, by language. */
  search: Record<string, { path: string; title: string; about: string; text: string }[]>;
  seedPosts: SeedPost[];
  /** What Explore has on a new installation. */
  starter: StarterPage[];
}

/** A form of the app as a visitor sees it first. */
export interface PrerenderedForm {
  path: string;
  language: "en" | "de";
  title: string;
  markup: string;
}
