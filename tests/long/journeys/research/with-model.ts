import { z } from "zod";

const PromptPassage = z.object({ id: z.string(), text: z.string() });

/** The questions that the scripted model plans. */
export const PLANNED = ["What causes the tides of the sea?", "How many high tides of the sea does a day have?"];
/** A question asked later, which the model plans unchanged. */
export const LATER_QUESTION = "What do low tides leave?";

/** Web pages: the model quotes most correctly, one wrongly at first, and adds an invented year to one. */
export const PAGES = {
  "/moon.html": { title: "The Moon", text: "The gravity of the Moon causes the tides of the sea." },
  "/harbours.html": { title: "Harbours", text: "Harbours of the sea publish tables of the tides each year." },
  "/day.html": { title: "Tides of a day", text: "Most coasts have two high tides of the sea in a day." },
  "/night.html": { title: "Tides at night", text: "High tides of the sea come about twelve hours apart." },
  "/low.html": { title: "Low tides", text: "Low tides leave mud flats open to the birds of the sea." },
};

/** Patterns of the sentences that answer each question. */
const answerPatterns = [/^(?:The gravity|Harbours)/, /^(?:Most coasts|High tides)/, /^Low tides/];

/** The quote of one sentence is right at the second attempt only, and one sentence is never supported. */
export function answerAboutTides(prompt: string): string {
  const lines = prompt.split("\n").filter((line) => line.startsWith('{"id":'));
  const isLater = prompt.includes(LATER_QUESTION);
  if (lines.length === 0)
    return (isLater ? [LATER_QUESTION] : PLANNED).map((question) => JSON.stringify({ question })).join("\n");
  const answer = answerPatterns[isLater ? 2 : prompt.includes("How many") ? 1 : 0];
  const isSecondAttempt = prompt.includes('{"rejected":');
  return lines
    .map((line) => PromptPassage.parse(JSON.parse(line)))
    .filter(({ text }) => answer?.test(text) === true)
    .map(({ id: passage, text }) => {
      if (text.startsWith("Harbours")) return JSON.stringify({ sentence: `In 1492, ${text}`, passage, quote: text });
      const isWrong = text.startsWith("Most coasts") && !isSecondAttempt;
      return JSON.stringify({ sentence: text, passage, quote: isWrong ? `It is well known that ${text}` : text });
    })
    .join("\n");
}
