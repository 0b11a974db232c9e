/** A day such as `2026-11-23` in words. */
export const formatDay = (date: string, language: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });
