import { replaceBetween } from "#shared/pages/strip-html.ts";

const START = /<m:oMath(?:\s[^<>]*)?>/gu;
const FRAME = /<\/?m:oMathPara(?:\s[^<>]*)?>/gu;
const TEXT = /<m:t(?:\s[^<>]*)?>([^<]*)<\/m:t>/gu;

/** The XML of a Word file with each formula replaced by its characters. */
export const replaceFormulas = (xml: string): string =>
  replaceBetween(xml.replace(FRAME, "").replace(START, "<m:oMath>"), ["<m:oMath>", "</m:oMath>"], (inside) => {
    const characters = [...inside.matchAll(TEXT)].map(([, character = ""]) => character).join("");
    return `<w:r><w:t xml:space="preserve">${characters}</w:t></w:r>`;
  });
