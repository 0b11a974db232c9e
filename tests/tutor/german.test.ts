// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";
import * as german from "#shared/messages/german.ts";
import { speak } from "#shared/messages/translate.ts";
import { inWordsHere } from "#shared/tutor/own-words.ts";
import { wordings } from "#shared/tutor/wordings.ts";

const speakGerman = async () => {
  document.documentElement.lang = "de";
  await speak("de", german);
};

afterEach(async () => {
  document.documentElement.lang = "en";
  await speak("en", { table: {}, titles: {}, answers: {} });
});

/** Every phrase as it stands in an answer, with a value wherever one is put in. */
const phrases = {
  ...wordings,
  unread: wordings.unread(["One", "Two"], 0),
  unreadMore: wordings.unread(["One", "Two", "Three"], 4),
  socraticAsk: wordings.socraticAsk("What is a codon?"),
  // The question alone, in its own language.
  ask: "",
  right: wordings.right("a codon"),
  partly: wordings.partly("a codon"),
  wrong: wordings.wrong("a codon"),
  next: wordings.next("What is a codon?"),
  otherLanguage: wordings.otherLanguage("German"),
  planDay: wordings.planDay("Tuesday, 1 September", 3, "Genes 3"),
  planDayOne: wordings.planDay("Tuesday 1 September", 1, "Genes 1"),
  planNew: wordings.planNew(1),
  planNewMany: wordings.planNew(12),
  followUp: wordings.followUp("Codons"),
};

test("each phrase of the tutor's own is read in German in a German interface, and as it is in an English one", async () => {
  const said = Object.values(phrases).filter((phrase): phrase is string => phrase !== "");
  expect(said.every((phrase) => typeof phrase === "string" && inWordsHere(phrase) === phrase)).toBe(true);
  await speakGerman();
  expect(said.filter((phrase) => inWordsHere(phrase) === phrase)).toEqual([]);
});

test("a plan names its days in German", async () => {
  await speakGerman();
  const plan = [wordings.planLead, `${phrases.planDay}\n${phrases.planDayOne}`, phrases.planNewMany].join("\n\n");
  expect(inWordsHere(plan)).toBe(
    "Fällige Karten in den nächsten sieben Tagen:\n\n" +
      "- **Dienstag, 1. September**: 3 Karten (Genes 3)\n- **Dienstag, 1. September**: 1 Karte (Genes 1)\n\n" +
      "12 Karten sind neu und können an jedem Tag begonnen werden.",
  );
});

test("the words of a source, of a card and of a model stay as they are beside German phrases", async () => {
  await speakGerman();
  const quoted = "Your sources do not say. Nothing in them is about this. [^1]";
  expect(inWordsHere(`${wordings.builtinLead}\n\n${quoted}`)).toBe(`Aus deinen Quellen, Wort für Wort:\n\n${quoted}`);
  const judged = `${wordings.right("Not yet. The answer: none")} [^1]\n\n${wordings.next("What is new?")}`;
  expect(inWordsHere(judged)).toBe(
    "Das stimmt. Die Antwort: **Not yet. The answer: none** [^1]\n\nWeiter: **What is new?**",
  );
  const model = "It reads mRNA. [^1] Next: codons.\n\n- **First**: 3 cards (so they say)\n- two";
  expect(inWordsHere(model)).toBe(model);
  const hint = `${wordings.hint} [^1]\n\n${wordings.socraticAsk("What is a codon?")}`;
  expect(inWordsHere(hint)).toBe("Versuche es zuerst selbst. Sieh hier nach: [^1]\n\nUnd nun: What is a codon?");
});
