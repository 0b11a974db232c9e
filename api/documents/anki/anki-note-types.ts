import { writeFields } from "./protobuf.ts";

export const BASIC_ID = 1_700_000_000_001;
export const CLOZE_ID = 1_700_000_000_002;
export const OCCLUSION_ID = 1_700_000_000_003;

interface ExportedNoteType {
  id: number;
  name: string;
  isCloze: boolean;
  /** Anki's built-in image occlusion note type: Anki recognises it by this number and draws the masks. */
  stockKind?: 6;
  fields: readonly string[];
  template: { name: string; question: string; answer: string };
}

const SOURCE = "{{#Source}}<br><small>{{Source}}</small>{{/Source}}";
const CSS = ".card { font-family: arial; font-size: 20px; text-align: center; color: black; background-color: white; }";
const LATEX_PRE = "\\documentclass[12pt]{article}\\begin{document}";
const LATEX_POST = "\\end{document}";
const FONT = { name: "Arial", size: 20 };

const MASKED_TEMPLATE =
  "{{#Header}}<div>{{Header}}</div>{{/Header}}" +
  '<div style="display: none">{{cloze:Occlusion}}</div>' +
  '<div id="image-occlusion-container">{{Image}}<canvas id="image-occlusion-canvas"></canvas></div>' +
  "<script>anki.imageOcclusion.setup();</script>";

/** The note types in exported packages. */
export const EXPORTED_NOTE_TYPES: readonly ExportedNoteType[] = [
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
  {
    id: OCCLUSION_ID,
    name: "Lamplight image occlusion",
    isCloze: true,
    stockKind: 6,
    fields: ["Occlusion", "Image", "Header", "Back Extra", "Comments"],
    template: {
      name: "Image Occlusion",
      question: MASKED_TEMPLATE,
      answer: `${MASKED_TEMPLATE}<div><button id="toggle">Toggle Masks</button></div><div>{{cloze-only:Back Extra}}</div>`,
    },
  },
];

const toFieldJson = (name: string, ord: number, stockKind: 6 | undefined) => ({
  name,
  ord,
  sticky: false,
  rtl: false,
  font: FONT.name,
  size: FONT.size,
  media: [],
  ...(stockKind === undefined ? {} : { tag: ord, preventDeletion: ord < LAST_FIELD }),
});

/** Anki identifies the fields of its built-in type by a tag; all but the comments must remain. */
const LAST_FIELD = 4;

const toTemplateJson = ({ name, question, answer }: ExportedNoteType["template"]) => ({
  name,
  ord: 0,
  qfmt: question,
  afmt: answer,
  did: null,
  bqfmt: "",
  bafmt: "",
});

/** The note types in the format of `col.models` in the old form; `now` is epoch ms. */
export const buildTypesJson = (now: number): string =>
  JSON.stringify(
    Object.fromEntries(
      EXPORTED_NOTE_TYPES.map(({ id, name, isCloze, stockKind, fields, template }) => [
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
          flds: fields.map((field, ord) => toFieldJson(field, ord, stockKind)),
          tmpls: [toTemplateJson(template)],
          ...(isCloze ? {} : { req: [[0, "any", [0]]] }),
          ...(stockKind === undefined ? {} : { originalStockKind: stockKind }),
        },
      ]),
    ),
  );

/** A note type's config in the format of `notetypes` in the new form. */
export const encodeTypeConfig = ({ isCloze, stockKind }: ExportedNoteType): Uint8Array =>
  isCloze
    ? writeFields(
        [1, 1],
        [3, CSS],
        [5, LATEX_PRE],
        [6, LATEX_POST],
        ...(stockKind === undefined ? [] : [stockKindField(stockKind)]),
      )
    : writeFields(
        [3, CSS],
        [5, LATEX_PRE],
        [6, LATEX_POST],
        // The card requires the first field.
        [8, writeFields([2, 1], [3, Uint8Array.of(0)])],
      );

const stockKindField = (stockKind: number): [number, number] => [9, stockKind];

export const encodeFieldConfig = ({ stockKind }: ExportedNoteType, ord: number): Uint8Array =>
  stockKind === undefined
    ? writeFields([3, FONT.name], [4, FONT.size])
    : writeFields(
        [3, FONT.name],
        [4, FONT.size],
        [10, ord],
        ...(ord < LAST_FIELD ? [[11, 1] as [number, number]] : []),
      );
export const encodeTemplateConfig = ({ template }: ExportedNoteType): Uint8Array =>
  writeFields([1, template.question], [2, template.answer]);
