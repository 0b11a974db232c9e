import { storedData } from "#shared/marketing/stored-data.ts";
import { storedInBrowser } from "#shared/marketing/stored-in-browser.ts";

const words = {
  en: { what: "What", where: "Where", howLong: "How long", server: "Server", browser: "This browser" },
  de: { what: "Was", where: "Wo", howLong: "Wie lange", server: "Server", browser: "Dieser Browser" },
} as const;

type Language = keyof typeof words;
type Row = Readonly<Record<Language, readonly [what: string, howLong: string]>>;

/** The table on the privacy page of the data that an installation and a browser store. */
export function storedTable(language: Language): string {
  const { what, where, howLong, server, browser } = words[language];
  const toRows = (entries: readonly Row[], place: string) =>
    entries
      .map(({ [language]: [text, time] }) => `<tr><td>${text}</td><td>${place}</td><td>${time}</td></tr>`)
      .join("");
  return (
    `<table><thead><tr><th>${what}</th><th>${where}</th><th>${howLong}</th></tr></thead>` +
    `<tbody>${toRows(storedData, server)}${toRows(storedInBrowser, browser)}</tbody></table>`
  );
}
