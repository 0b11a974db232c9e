/** Files of the build that public pages link to. */
export interface SiteAssets {
  css: string;
  /** Fonts needed for the first paint. */
  fonts: readonly string[];
  /** Scripts by entry: the entry itself, then what it imports. */
  scripts: Readonly<Record<string, readonly string[]>>;
  /** Style sheets by entry. */
  styles: Readonly<Record<string, readonly string[]>>;
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

export interface BuiltSite {
  pages: BuiltPage[];
  /** For the search of the help, by language. */
  search: Record<string, { path: string; title: string; text: string }[]>;
  /** For the feed, by language. */
  posts: Record<string, { path: string; title: string; description: string; date: string; html: string }[]>;
}
