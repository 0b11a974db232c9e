import { writeFields } from "./anki-proto.ts";

export const BASIC_ID = 1_700_000_000_001;
export const CLOZE_ID = 1_700_000_000_002;

interface OwnType {
  id: number;
  name: string;
  isCloze: boolean;
  fields: readonly string[];
  template: { name: string; question: string; answer: string };
}

const SOURCE = "{{#Source}}<br><small>{{Source}}</small>{{/Source}}";
const CSS = ".card { font-family: arial; font-size: 20px; text-align: center; color: black; background-color: white; }";
const LATEX_PRE = "\\documentclass[12pt]{article}\\begin{document}";
const LATEX_POST = "\\end{document}";
const FONT = { name: "Arial", size: 20 };

/** The kinds of notes that packages from here hold. */
export const OWN_TYPES: readonly OwnType[] = [
  {
    id: BASIC_ID,
    name: "Lamplight",
    isCloze: false,
    fields: ["Front", "Back", "Source"],
    template: { name: "Card 1", question: "{{Front}}", answer: `{{FrontSide}}<hr id=answer>{{Back}}${SOURCE}` },
  },
  {
    id: CLOZE_ID,
    name: "Lamplight cloze",
    isCloze: true,
    fields: ["Text", "Extra", "Source"],
    template: { name: "Cloze", question: "{{cloze:Text}}", answer: `{{cloze:Text}}<br>{{Extra}}${SOURCE}` },
  },
];

const fieldJson = (name: string, ord: number) => ({
  name,
  ord,
  sticky: false,
  rtl: false,
  font: FONT.name,
  size: FONT.size,
  media: [],
});

const templateJson = ({ name, question, answer }: OwnType["template"]) => ({
  name,
  ord: 0,
  qfmt: question,
  afmt: answer,
  did: null,
  bqfmt: "",
  bafmt: "",
});

/** The kinds of notes as the old form's `col.models` holds them; `now` is epoch ms. */
export const typesAsJson = (now: number): string =>
  JSON.stringify(
    Object.fromEntries(
      OWN_TYPES.map(({ id, name, isCloze, fields, template }) => [
        id,
        {
          id,
          name,
          type: isCloze ? 1 : 0,
          mod: Math.floor(now / 1000),
          usn: -1,
          sortf: 0,
          did: 1,
          css: CSS,
          latexPre: LATEX_PRE,
          latexPost: LATEX_POST,
          tags: [],
          vers: [],
          flds: fields.map(fieldJson),
          tmpls: [templateJson(template)],
          ...(isCloze ? {} : { req: [[0, "any", [0]]] }),
        },
      ]),
    ),
  );

/** The settings of a kind of notes as the new form's `notetypes` holds them. */
export const typeConfig = ({ isCloze }: OwnType): Uint8Array =>
  isCloze
    ? writeFields([1, 1], [3, CSS], [5, LATEX_PRE], [6, LATEX_POST])
    : writeFields(
        [3, CSS],
        [5, LATEX_PRE],
        [6, LATEX_POST],
        // Its first field has to be there for its first card.
        [8, writeFields([2, 1], [3, Uint8Array.of(0)])],
      );

export const fieldConfig = (): Uint8Array => writeFields([3, FONT.name], [4, FONT.size]);
export const templateConfig = ({ template }: OwnType): Uint8Array =>
  writeFields([1, template.question], [2, template.answer]);
