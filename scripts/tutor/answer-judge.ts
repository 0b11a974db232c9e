/**
 * Trains the judge of answers: how likely the best excerpt answers a part of a question. `node scripts/tutor/answer-judge.ts`
 * answers the labelled questions of the tests, each also without the passages that answer it, leaves out one subject at a
 * time and prints, for each threshold, what would be answered. `WEIGHTS=shared/tutor/extraction/answer-weights.json` writes the
 * weights.
 */
import { writeFileSync } from "node:fs";
import { MIN_PROBABILITY } from "#shared/tutor/extraction/answer-probability.ts";
import { areaUnderCurve, type Example, type Model, probabilityOf, trainLogistic } from "../cards/logistic.ts";
import { type AnsweredQuestion, answerLabelledQuestions, isRight } from "./labelled-parts.ts";

const answered = await answerLabelledQuestions();
const names = Object.keys(answered.flatMap(({ parts }) => parts).find((part) => part !== undefined)?.features ?? {});

const examplesOf = ({ question, parts }: AnsweredQuestion): Example[] =>
  parts.flatMap((part, at) =>
    part === undefined
      ? []
      : [{ values: names.map((name) => part.features[name] ?? 0), target: isRight(question, parts, at) ? 1 : 0 }],
  );

const train = (sample: readonly AnsweredQuestion[]): Model => trainLogistic(sample.flatMap(examplesOf), names.length);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

interface Predicted extends AnsweredQuestion {
  probability: number;
  examples: readonly (Example & { probability: number })[];
}

function predict(model: Model, sample: readonly AnsweredQuestion[]): Predicted[] {
  return sample.map((each) => {
    const examples = examplesOf(each).map((example) => ({
      ...example,
      probability: probabilityOf(model, example.values),
    }));
    return { ...each, examples, probability: mean(examples.map(({ probability }) => probability)) };
  });
}

/** Sets about the same subjects are left out together. */
const SUBJECTS: Readonly<Record<string, string>> = {
  "own chapters": "social sciences",
  "textbook chapters": "social sciences",
  "further chapters": "social sciences",
  "biology chapters": "biology",
  "fresh chapters": "biology",
  "blind chapters": "biology",
};
const subjectOf = ({ set }: AnsweredQuestion) => SUBJECTS[set] ?? set;

const leftOut = [...new Set(answered.map(subjectOf))].map((subject) => {
  const model = train(answered.filter((each) => subjectOf(each) !== subject));
  return {
    subject,
    predicted: predict(
      model,
      answered.filter((each) => subjectOf(each) === subject),
    ),
  };
});

const areaOf = (predicted: readonly Predicted[]) =>
  areaUnderCurve(
    predicted.flatMap(({ examples }) =>
      examples.map(({ target, probability }) => ({ isGood: target === 1, score: probability })),
    ),
  );

const isAnsweredBy = ({ parts, probability }: Predicted, least: number) =>
  probability >= least && parts.every((part) => part?.isCovered === true);

/** What a threshold does: answers with everything that is needed, with a part or with nothing of it. */
function outcomes(predicted: readonly Predicted[], least: number) {
  const shown = predicted.filter((each) => isAnsweredBy(each, least));
  const asked = shown.filter(({ question, isTakenAway }) => !isTakenAway && question.needs.length > 0);
  const matched = ({ question: { needs }, parts }: Predicted) => {
    const text = parts
      .flatMap((part) => part?.chosen ?? [])
      .map((excerpt) => excerpt.text)
      .join("\n");
    return needs.filter((need) => new RegExp(need, "u").test(text)).length / needs.length;
  };
  const count = (isMissing: (each: Predicted) => boolean) =>
    `${shown.filter(isMissing).length} of ${predicted.filter(isMissing).length}`;
  const missing = ({ isTakenAway, question }: Predicted) => isTakenAway || question.needs.length === 0;
  return {
    least,
    complete: asked.filter((each) => matched(each) === 1).length,
    partly: asked.filter((each) => matched(each) > 0 && matched(each) < 1).length,
    wrong: asked.filter((each) => matched(each) === 0).length,
    notAnswered: predicted.filter((each) => !missing(each) && !isAnsweredBy(each, least)).length,
    answeredTakenAway: count(({ isTakenAway }) => isTakenAway),
    answeredUnanswerable: count(({ isTakenAway, question }) => !isTakenAway && question.needs.length === 0),
  };
}

for (const { subject, predicted } of leftOut)
  console.log(subject, "area", areaOf(predicted).toFixed(3), outcomes(predicted, MIN_PROBABILITY));
const all = leftOut.flatMap(({ predicted }) => predicted);
console.log("all, each subject left out: area", areaOf(all).toFixed(3));
console.table([0, 0.2, 0.25, 0.3, 0.34, 0.36, 0.38, 0.4, 0.42, 0.45, 0.5].map((least) => outcomes(all, least)));

const BINS = 5;
const parts = all.flatMap(({ examples }) => examples);
console.table(
  Array.from({ length: BINS }, (_, bin) => {
    const sample = parts.filter(({ probability }) => Math.min(BINS - 1, Math.floor(probability * BINS)) === bin);
    const [expected, right] = [
      mean(sample.map(({ probability }) => probability)),
      mean(sample.map(({ target }) => target)),
    ];
    return { parts: sample.length, expected: expected.toFixed(2), right: right.toFixed(2) };
  }),
);

const { bias, weights } = train(answered);
const round = (value: number) => Math.round(value * 1000) / 1000;
const learned = {
  bias: round(bias),
  weights: Object.fromEntries(names.map((name, i) => [name, round(weights[i] ?? 0)])),
};
console.log(learned);
const output = process.env["WEIGHTS"];
if (output) writeFileSync(output, `${JSON.stringify(learned, null, 2)}\n`);
