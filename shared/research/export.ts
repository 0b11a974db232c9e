import type { CanvasSection, LedgerSource, ResearchSession } from "./schema.ts";

const formatDay = (at: number) => new Date(at).toISOString().slice(0, 10);

function describeForNote({ title, url, container, year, revision, licence, fetchedAt }: LedgerSource): string {
  const parts = [title, container, year === null ? null : String(year), url].filter(
    (part) => part !== null && part !== "",
  );
  const version = url === null || revision === null ? [] : [`revision ${revision}`];
  return [...parts, ...version, ...(licence === null ? [] : [licence]), `read ${formatDay(fetchedAt)}`].join(". ");
}

/**
 * The canvas as Markdown with a footnote for each citation, followed by the student's versions of sections and the
 * notes.
 */
export function exportMarkdown(
  { conversation_title: title, canvas, sections, citations, sources, notes, edits }: ResearchSession,
  nameEdit: (section: CanvasSection) => string = ({ heading }) => heading,
): string {
  const edited = edits.flatMap(({ section: id, text }) => {
    const section = sections.find((one) => one.id === id);
    return section ? [`## ${nameEdit(section)}`, text] : [];
  });
  const body = [canvas, ...edited].join("\n\n");
  const footnotes = citations
    .filter(({ n }) => body.includes(`[^${n}]`))
    .flatMap(({ n, source: number, quote, page }) => {
      const source = sources.find((one) => one.n === number);
      if (!source) return [];
      const place = page === null ? "" : `, p. ${page}`;
      return [`[^${n}]: ${describeForNote(source)}${place}. “${quote.replaceAll(/\s+/g, " ")}”`];
    });
  const own = notes.trim() === "" ? [] : ["---", notes.trim()];
  return `${[`# ${title}`, body, ...own, footnotes.join("\n")].join("\n\n")}\n`;
}

const bibtexSigns: Readonly<Record<string, string>> = {
  "\\": String.raw`\textbackslash{}`,
  "~": String.raw`\textasciitilde{}`,
  "^": String.raw`\textasciicircum{}`,
};

const escapeBibtex = (text: string) => text.replaceAll(/[\\{}%&$#_~^]/g, (sign) => bibtexSigns[sign] ?? `\\${sign}`);

/** BibTeX does not interpret addresses; only braces and backslashes would end or change the field. */
const encodeAddress = (address: string) => address.replaceAll(/[\\{}]/g, encodeURIComponent);
const ADDRESS_FIELDS = new Set(["doi", "url"]);

/** Readers of a shared session do not see the hash of a source in the owner's library. */
const isReadSource = ({ sha256, copyOf, via }: LedgerSource) => (sha256 !== "" || via === "library") && copyOf === null;

function toBibtex(source: LedgerSource): string {
  const { n, title, authors, year, container, doi, url, fetchedAt, kind } = source;
  const fields = {
    title,
    author: authors.join(" and "),
    year: year === null ? "" : String(year),
    journal: kind === "paper" ? (container ?? "") : "",
    doi: doi ?? "",
    url: url ?? "",
    urldate: url === null ? "" : formatDay(fetchedAt),
  };
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `  ${name} = {${ADDRESS_FIELDS.has(name) ? encodeAddress(value) : escapeBibtex(value)}},`);
  return [`@${kind === "paper" ? "article" : "misc"}{source${n},`, ...lines, "}"].join("\n");
}

/** The sources that were read, for LaTeX. */
export const exportBibtex = (sources: readonly LedgerSource[]): string =>
  `${sources.filter(isReadSource).map(toBibtex).join("\n\n")}\n`;

function toCslName(name: string): { family: string; given?: string } | { literal: string } {
  const [family = "", given] = name.split(", ");
  if (given !== undefined) return { family, given };
  const words = name.trim().split(/\s+/);
  const last = words.pop() ?? "";
  return words.length === 0 ? { literal: name } : { family: last, given: words.join(" ") };
}

const cslTypes: Readonly<Record<LedgerSource["kind"], string>> = {
  page: "document",
  file: "document",
  video: "motion_picture",
  encyclopedia: "entry-encyclopedia",
  paper: "article-journal",
  web: "webpage",
};

/** The sources that were read, as CSL-JSON for reference managers. https://citationstyles.org */
export function exportCslJson(sources: readonly LedgerSource[]): string {
  const items = sources.filter(isReadSource).map((source) => {
    const { n, title, authors, year, container, doi, url, fetchedAt, kind } = source;
    const day = formatDay(fetchedAt).split("-").map(Number);
    return {
      id: `source${n}`,
      type: cslTypes[kind],
      title,
      ...(authors.length > 0 && { author: authors.map(toCslName) }),
      ...(year !== null && { issued: { "date-parts": [[year]] } }),
      ...(container !== null && { "container-title": container }),
      ...(doi !== null && { DOI: doi }),
      ...(url !== null && { URL: url, accessed: { "date-parts": [day] } }),
    };
  });
  return `${JSON.stringify(items, null, 2)}\n`;
}
