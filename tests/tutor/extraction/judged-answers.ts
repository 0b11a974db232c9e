import { writeFileSync } from "node:fs";
import { ulid } from "ulid";
import { expect } from "vitest";
import { type TestUser, startApi } from "#tests/kit/api.ts";
import { aChange, aPage, send, textComponent, textContent } from "#tests/store/changes.ts";
import { ask, aQuestion } from "#tests/kit/tutor.ts";
import type { Chapters, LabelledSet, Question } from "./labelled-sets.ts";

/** `closest`: an honest refusal that shows the answer among the closest passages; `refused`: one that does not. */
type Verdict = "right" | "partly" | "closest" | "refused" | "wrong";

/** In an answer with more words the asked fact is hard to find. */
const MAX_WORDS = 120;

function judge({ kind, needs }: Question, text: string): Verdict {
  const isAnswer = text.startsWith("From your sources, word for word:");
  if (kind === "none") return isAnswer ? "wrong" : "right";
  // The screen collapses the text after this heading.
  const shown = (text.split("More passages")[0] ?? "").replaceAll("\\", "");
  const matched = needs.filter((need) => new RegExp(need, "u").test(shown)).length;
  if (!isAnswer) return matched === 0 ? "refused" : "closest";
  if (matched === 0) return "wrong";
  const isShort = shown.split(/\s+/u).length <= MAX_WORDS;
  return matched === needs.length && isShort ? "right" : "partly";
}

async function writeChapters(user: TestUser, chapters: Chapters): Promise<void> {
  for (const [title, blocks] of Object.entries(chapters)) {
    const pageId = await aPage(user, title);
    const changes = blocks.map((block) => {
      const heading = /^#+ (.*)$/u.exec(block)?.[1];
      const { component, parentId } = textComponent(ulid(), pageId, block);
      const subType = "heading_1" as const;
      const content = heading === undefined ? component.content : { ...textContent(heading), subType };
      return aChange("component_create", component._id, { parentId, component: { ...component, content } });
    });
    for (let from = 0; from < changes.length; from += 40) await send(user, ...changes.slice(from, from + 40));
  }
}

async function judgeAll({ name, questions, chapters }: LabelledSet) {
  const api = await startApi({ env: { RATE_LIMIT_FACTOR: "100" } });
  const ada = await api.newUser({ plan: "ULTIMATE" });
  await writeChapters(ada, chapters());
  const judged: { question: string; kind: string; verdict: Verdict; text: string }[] = [];
  for (const each of questions) {
    const { message } = await ask(ada.client, aQuestion({ text: each.question }));
    judged.push({ question: each.question, kind: each.kind, verdict: judge(each, message.text), text: message.text });
  }
  // Names a file to which the answers are written for reading.
  const report = process.env["TUTOR_REPORT"];
  if (report) writeFileSync(report, `${JSON.stringify({ name, judged }, null, 1)}\n`, { flag: "a" });
  return judged;
}

/** What each set must reach: right answers at least, wrong ones at most, and refused unanswerable ones at least. */
const LIMITS: Readonly<Record<string, { right: number; wrong: number; refused: number }>> = {
  "own chapters": { right: 38, wrong: 0, refused: 5 },
  "free texts": { right: 26, wrong: 1, refused: 5 },
  "textbook chapters": { right: 36, wrong: 1, refused: 5 },
  "further chapters": { right: 26, wrong: 1, refused: 5 },
  "biology chapters": { right: 24, wrong: 2, refused: 5 },
  "fresh chapters": { right: 28, wrong: 1, refused: 5 },
  "blind chapters": { right: 27, wrong: 2, refused: 5 },
  "unseen chapters": { right: 31, wrong: 1, refused: 5 },
};

/** Asks every question of a set without a model, and expects the set's figures. */
export async function expectAnswered(set: LabelledSet): Promise<void> {
  const judged = await judgeAll(set);
  const count = (verdict: Verdict) => judged.filter((answer) => answer.verdict === verdict).length;
  const figures = (["right", "partly", "closest", "refused", "wrong"] as const).map((v) => `${count(v)} ${v}`);
  process.stdout.write(`${set.name}: ${figures.join(", ")}\n`);
  const refused = judged.filter(({ kind, verdict }) => kind === "none" && verdict === "right").length;
  const limits = LIMITS[set.name] ?? { right: 0, wrong: 0, refused: 0 };
  expect(refused).toBeGreaterThanOrEqual(limits.refused);
  expect(count("wrong")).toBeLessThanOrEqual(limits.wrong);
  expect(count("right")).toBeGreaterThanOrEqual(limits.right);
}
