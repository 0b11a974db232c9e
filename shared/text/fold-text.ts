const DIACRITICS = /\p{M}/gu;

const NON_ASCII = /[^\x20-\x7E]/;

/** Text without case and diacritics, so that "zurich" finds "Zürich". */
export const foldText = (text: string) =>
  NON_ASCII.test(text)
    ? text.normalize("NFKD").replace(DIACRITICS, "").toLowerCase().replaceAll("ı", "i")
    : text.toLowerCase();
