import { expect, onTestFinished, test } from "vitest";
import { isInOtherLanguage, findLanguageCode } from "#api/ai/language-detection.ts";
import { startApi } from "#tests/kit/api.ts";
import { aPage, aText } from "#tests/store/changes.ts";
import { startModelServer } from "#tests/kit/servers/model-server.ts";
import { ask, aQuestion, joinEvents } from "#tests/kit/tutor.ts";

const ENGLISH =
  "The ribosome reads messenger RNA one codon at a time, and so each codon names one amino acid of the chain. " +
  "Transfer molecules bring what is asked for, while enzymes check that nothing wrong was taken along the way. ";
const GERMAN =
  "Das Ribosom liest die Boten-RNA ein Codon nach dem anderen, und jedes Codon nennt eine Aminosäure der Kette. " +
  "Andere Moleküle bringen herbei, was verlangt wird, während Enzyme prüfen, dass nichts Falsches dabei war. ";

async function askIn(language: string, say: (prompt: string) => string) {
  const server = await startModelServer({ say });
  onTestFinished(() => server.close());
  const api = await startApi({ env: { AI_BASE_URL: server.baseUrl, AI_MODEL: "test-model" }, realClock: true });
  const ada = await api.newUser();
  await aText(ada, await aPage(ada), ENGLISH);
  await ada.client.user.savePreferences({ assistant: { language } });
  const question = aQuestion({ text: "What does the ribosome read?" });
  const { message, events } = await ask(ada.client, question);
  return { server, message, events, client: ada.client, answerId: question.answerId };
}

test("an answer in the wrong language is withdrawn and requested again", async () => {
  const { server, message, events, client, answerId } = await askIn("German", (prompt) =>
    prompt.includes("in no other") ? GERMAN.repeat(4) : ENGLISH.repeat(4),
  );
  expect(message.text).toBe(GERMAN.repeat(4));
  expect(joinEvents(events)).toBe(message.text);
  // A client that joins later reads the log.
  const logged = [];
  for await (const event of client.tutor.followAnswer({ answerId })) logged.push(event);
  expect(joinEvents(logged)).toBe(message.text);
  expect(server.requests).toHaveLength(2);
});

test("a second answer in the wrong language is shown with a note", async () => {
  const { server, message } = await askIn("German", () => ENGLISH.repeat(4));
  expect(message.text).toContain(ENGLISH.repeat(4));
  expect(message.text).toContain("did not answer in German");
  expect(server.requests).toHaveLength(2);
});

test("an answer in the student's language is requested once, whatever code it quotes", async () => {
  const { server, message } = await askIn(
    "Deutsch",
    () => `${GERMAN.repeat(3)}\n\n\`\`\`\n${ENGLISH.repeat(6)}\n\`\`\``,
  );
  expect(message.text).not.toContain("did not answer in");
  expect(server.requests).toHaveLength(1);
});

test("a language is recognised by its own name, its English name and its tag; anything else is ignored", () => {
  const names = [
    "German",
    "deutsch",
    "de-AT",
    "Chinese (simplified)",
    "日本語",
    "Brazilian Portuguese",
    "norsk",
    "Klingon",
  ];
  expect(names.map(findLanguageCode)).toEqual(["deu", "deu", "deu", "cmn", "jpn", "por", "nob", undefined]);
  expect(isInOtherLanguage(ENGLISH, "Klingon")).toBeUndefined();
  expect(isInOtherLanguage("Too short.", "German")).toBeUndefined();
});
