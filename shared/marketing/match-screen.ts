import { screens, type ScreenName } from "#shared/screens.ts";
import { escapeRegExp } from "#shared/escape-reg-exp.ts";

/** `/help/*slug` as a pattern; a parameter is never empty. */
const toPattern = (path: string) =>
  new RegExp(
    `^${path
      .split("/")
      .map((part) => (part.startsWith(":") ? "[^/]+" : part.startsWith("*") ? ".+" : escapeRegExp(part)))
      .join("/")}$`,
  );

const patterns = (Object.keys(screens) as ScreenName[]).map((name) => ({
  name,
  pattern: toPattern(screens[name].path),
}));
const byPath = new Map<string, ScreenName>(patterns.map(({ name }) => [screens[name].path, name]));

/** The path without a slash at its end. */
export const trimPath = (path: string): string => (path.length > 1 ? path.replace(/\/+$/, "") || "/" : path);

/** The screen at a path of our origin; undefined where there is none. */
export function matchScreen(path: string): ScreenName | undefined {
  const trimmed = trimPath(path);
  return byPath.get(trimmed) ?? patterns.find(({ pattern }) => pattern.test(trimmed))?.name;
}

/** Screens of the marketing feature are documents made by the build; the app has no screen of its own for them. */
export const isPublicPage = (name: ScreenName): boolean => screens[name].feature === "marketing";
