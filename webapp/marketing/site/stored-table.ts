import { storedData } from "#shared/marketing/stored-data.ts";

const heads = { en: ["What", "How long"], de: ["Was", "Wie lange"] } as const;

/** The table on the privacy page of the data that an installation stores. */
export function storedTable(language: "en" | "de"): string {
  const [what, howLong] = heads[language];
  const rows = storedData.map((entry) => `<tr><td>${entry[language][0]}</td><td>${entry[language][1]}</td></tr>`);
  return `<table><thead><tr><th>${what}</th><th>${howLong}</th></tr></thead><tbody>${rows.join("")}</tbody></table>`;
}
