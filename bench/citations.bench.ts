import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findSections } from "#api/library/sources.ts";
import { parseCitation } from "#shared/citations.ts";
import { findExactQuote } from "#shared/text/quotes.ts";
import { contentStems } from "#shared/text/words.ts";
import type { Passage } from "#shared/pdf/schema.ts";
import { createClient } from "#shared/client/client.ts";
import { fetchTransport } from "#shared/client/fetch-transport.ts";
import { v1 } from "#shared/contract/v1.ts";
import type { Message } from "#shared/tutor/schema.ts";
import { aPage } from "#tests/store/changes.ts";
import { startServerProcess } from "#tests/kit/servers/server-process.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";
import type { Bench, Row } from "./row.ts";

const folder = join(process.env["CORPUS_DIR"] ?? "../shared/corpus", "textbook");

interface ReviewQuestion {
  question: string;
  answer: string;
}

/** Excludes multiple-choice questions, whose answer is a letter. */
const isWritten = ({ question, answer }: ReviewQuestion) => answer.length > 3 && !/\n\s*1\./.test(question);

/** Removes the book's links to figures, which are not part of its questions and answers. */
const removeLinks = (text: string) => text.replaceAll(/\[\[link\]\]\(#[^)]*\)/g, " ");

/** Whether the text contains at least half of the content words of the reference answer. */
function containsHalf(text: string, answer: string): boolean {
  const answerStems = [...new Set(contentStems(answer))];
  const textStems = new Set(contentStems(text));
  return answerStems.filter((stem) => textStems.has(stem)).length * 2 >= answerStems.length;
}

interface Tally {
  questions: number;
  /** The first cited passage contains half of the answer. */
  first: number;
  /** At least one cited passage contains half of the answer. */
  anyCited: number;
  /** All cited passages together contain half of the answer. */
  allCited: number;
  /** Some passage of the chapter contains half of the answer: the upper bound for one citation. */
  possible: number;
  shown: number;
  verified: number;
  /** Total characters of all quotes, and of all cited passages. */
  quoted: number;
  passages: number;
}
const createTally = (): Tally => ({
  questions: 0,
  first: 0,
  anyCited: 0,
  allCited: 0,
  possible: 0,
  shown: 0,
  verified: 0,
  quoted: 0,
  passages: 0,
});

function countAnswer(tally: Tally, { citations }: Message, reference: string, passages: readonly Passage[]): void {
  const answer = removeLinks(reference);
  tally.questions += 1;
  tally.first += Number(containsHalf(citations[0]?.passage ?? "", answer));
  tally.anyCited += Number(citations.some(({ passage }) => containsHalf(passage, answer)));
  tally.allCited += Number(containsHalf(citations.map(({ passage }) => passage).join("\n"), answer));
  tally.possible += Number(joinSections(passages).some((text) => containsHalf(text, answer)));
  tally.shown += citations.length;
  for (const { quote, passage } of citations) {
    tally.quoted += quote.length;
    tally.passages += passage.length;
  }
  tally.verified += countVerified(citations, passages);
}

/** Maximum length of a citation: consecutive paragraphs of one section. */
const MAX_CHARS = 2000;

function joinSections(passages: readonly Passage[]): string[] {
  const sections = findSections(passages);
  const body = passages.flatMap(({ text, kind }, at) =>
    kind === "heading" || kind === "running_head" ? [] : [{ text, section: sections[at] }],
  );
  return body.map(({ text, section }, at) => {
    let joined = text;
    for (const next of body.slice(at + 1)) {
      if (next.section !== section || joined.length + next.text.length >= MAX_CHARS) break;
      joined += `\n${next.text}`;
    }
    return joined;
  });
}

/** The number of quotes that occur on the page that their citation names. */
function countVerified(citations: Message["citations"], passages: readonly Passage[]): number {
  return citations.filter(({ citation }) => {
    const cited = parseCitation(citation);
    if (cited?.type !== "pdf_citation") return false;
    return (
      findExactQuote(
        passages.filter(({ locator }) => locator.page === cited.page),
        cited.quote ?? "",
      ) !== undefined
    );
  }).length;
}

async function aClient(origin: string, name: string) {
  const signedOut = createClient(v1, fetchTransport({ origin, token: () => undefined }));
  const email = `${name.slice(0, 2)}@example.org`;
  const { token } = await signedOut.auth.register({ name: "Bench", email, password: "a lamp upon the desk" });
  return createClient(v1, fetchTransport({ origin, token: () => token }));
}

export const bench: Bench = {
  name: "citations",
  async run() {
    if (!existsSync(folder)) return [{ what: "skipped: no corpus", value: 0, unit: "", goal: "set CORPUS_DIR" }];
    const server = await startServerProcess({ RATE_LIMIT_FACTOR: "100" });
    const rows: Row[] = [];
    const all = createTally();
    try {
      for (const name of readdirSync(folder).filter((file) => file.endsWith(".pdf"))) {
        const student = { client: await aClient(server.origin, name) };
        const pageId = await aPage(student, name);
        const file = new Blob([readFileSync(join(folder, name))]);
        const { component } = await student.client.uploads.uploadImageComponent({ pageId }, [
          { field: "file", file, name },
        ]);
        const { passages } = await student.client.pdf.getPassages({ id: component._id });
        const reference = JSON.parse(readFileSync(join(folder, name.replace(".pdf", ".reference.json")), "utf8")) as {
          reviewQuestions: ReviewQuestion[];
        };
        const chapterTally = createTally();
        const scope = { kind: "chosen" as const, pageIds: [], componentIds: [component._id] };
        for (const { question, answer } of reference.reviewQuestions.filter(isWritten)) {
          const { message } = await ask(student.client, aQuestion({ text: removeLinks(question), ground: scope }));
          countAnswer(chapterTally, message, answer, passages);
          countAnswer(all, message, answer, passages);
        }
        rows.push(toRow(name.replace(".pdf", ""), chapterTally));
      }
    } finally {
      await server.dispose();
    }
    return [
      ...rows,
      toRow("all chapters", all),
      {
        what: "quotes found on the page they cite",
        value: (100 * all.verified) / all.shown,
        unit: "%",
        goal: "100",
      },
    ];
  },
};

const percent = (part: number, whole: number) => Math.round((100 * part) / Math.max(1, whole));

const mean = (sum: number, count: number) => Math.round(sum / Math.max(1, count));

function toRow(what: string, tally: Tally): Row {
  const { questions, first, anyCited, allCited, possible, shown, verified } = tally;
  const lengths = `mean ${mean(tally.quoted, shown)} characters, of passages of ${mean(tally.passages, shown)}`;
  const summary = `${questions} questions, ${verified} of ${shown} quotes (${lengths}) found on the page they cite`;
  const shares = `possible ${percent(possible, questions)} %, the first ${percent(first, questions)} %, all cited together ${percent(allCited, questions)} %`;
  return {
    what: `${what}: ${summary}; one cited passage holds half of the answer (${shares})`,
    value: percent(anyCited, questions),
    unit: "%",
    goal: ">= 60",
  };
}
