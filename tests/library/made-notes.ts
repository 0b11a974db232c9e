import { strToU8, zipSync } from "fflate";
import type { NotesImport } from "#shared/library/import-schema.ts";

/** The smallest PNG: one grey pixel. */
export const PIXEL = Buffer.from(
  "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364f80f00010501012718e3660000000049454e44ae426082",
  "hex",
);

type Files = Record<string, string | Uint8Array>;

export const aZip = (files: Files) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, content]) => [path, typeof content === "string" ? strToU8(content) : content]),
    ),
  );

const BIOLOGY = "0123456789abcdef0123456789abcdef";
const OSMOSIS = "11112222333344445555666677778888";
const TERMS = "aaaabbbbccccddddeeeeffff00001111";
const ROW = "99998888777766665555444433332222";

/** A Notion export in "Markdown & CSV": names with ids, folders beside pages, a table with rows, split into several zips. */
export function aNotionExport(): Uint8Array {
  const part = aZip({
    [`Biology ${BIOLOGY}.md`]: [
      "# Biology",
      "",
      "Owner: Ada",
      "Tags: exam, spring",
      "",
      `Read [Osmosis](Biology%20${BIOLOGY}/Osmosis%20${OSMOSIS}.md) and [the table](Biology%20${BIOLOGY}/Terms%20${TERMS}.csv) first.`,
      "",
      "<aside>",
      "💡 Membranes let *some* things through.",
      "",
      "</aside>",
      "",
      `![A cell](Biology%20${BIOLOGY}/cell%20one.png)`,
      "",
      "- [x] Chapter 1",
      "- [ ] Chapter 2",
      "",
      `See also https://www.notion.so/Osmosis-${OSMOSIS} and [what is gone](Gone%20ffffffffffffffffffffffffffffffff.md).`,
    ].join("\n"),
    [`Biology ${BIOLOGY}/cell one.png`]: PIXEL,
    [`Biology ${BIOLOGY}/Osmosis ${OSMOSIS}.md`]:
      "# Osmosis\n\n## Water\n\nWater moves through a **membrane**.\n\n```python\nprint('[[not a link]]')\n```\n\n$$\n\\Psi = P - \\pi\n$$\n",
    [`Biology ${BIOLOGY}/Terms ${TERMS}.csv`]: "Name,Meaning\nATP,Energy\n",
    [`Biology ${BIOLOGY}/Terms ${TERMS}_all.csv`]: 'Name,Meaning\nATP,Energy\n"Cell, plant","Has a wall"\n',
    [`Biology ${BIOLOGY}/Terms ${TERMS}/ATP ${ROW}.md`]: "# ATP\n\nMeaning: Energy\n\nThe cell's coin.\n",
  });
  return aZip({ "ExportBlock-5f0c1d7e-Part-1.zip": part });
}

/** A zipped Obsidian vault, including Obsidian's own settings. */
export function anObsidianVault(): Uint8Array {
  return aZip({
    "My vault/.obsidian/app.json": "{}",
    "My vault/.obsidian/workspace.json": '{"main":{}}',
    "My vault/.trash/Old.md": "thrown away",
    "My vault/Index.md": [
      "---",
      "tags: [biology, exam]",
      "aliases:",
      "  - Start here",
      "  - Home",
      "created: 2026-01-04",
      "---",
      "# Index",
      "",
      "Begin with [[Osmosis]], then [[Cells/Mitochondria|the powerhouse]] and [[Osmosis#Water]].",
      "Back to [[start here]]; [[Nowhere yet]] is still to be written.",
      "",
      "> [!warning] Exam",
      "> Twelve questions, ==no notes==.",
      "",
      "> [!tip]",
      "> Sleep.",
      "",
      "![[cell.png|300]]",
      "![[Osmosis]]",
      "",
      "Not a link: `[[code]]` %%a comment%% and the end. ^abc123",
    ].join("\n"),
    "My vault/Cells/Osmosis.md":
      "# Osmosis\n\n## Water\n\nMoves. [Back](../Index.md)\n\n[Handout](../files/handout.pdf)\n",
    "My vault/Cells/Mitochondria.md":
      "No heading here.\n\n| Question | Answer |\n| --- | --- |\n| What is ATP? | Energy |\n",
    "My vault/files/cell.png": PIXEL,
    "My vault/files/handout.pdf": "%PDF-1.4 not really a document",
    "My vault/Board.canvas": '{"nodes":[]}',
  });
}

/** A finished import of a vault with three pages. */
export const aNotesImport: NotesImport = {
  _id: "import-1",
  name: "vault.zip",
  kind: "obsidian",
  state: "done",
  createdAt: 1,
  folderId: null,
  pages: 3,
  known: 0,
  folders: 0,
  files: 0,
  decks: 0,
  links: 0,
  losses: [],
  removedAt: null,
};
