// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";
import * as german from "#shared/messages/german.ts";
import { setLanguage } from "#shared/messages/translate.ts";
import { translatePhrases } from "#shared/tutor/translate-phrases.ts";
import { tutorPhrases } from "#shared/tutor/phrases.ts";

const speakGerman = async () => {
  document.documentElement.lang = "de";
  await setLanguage("de", german);
};

afterEach(async () => {
  document.documentElement.lang = "en";
  await setLanguage("en", { table: {}, titles: {}, answers: {} });
});

/** Every phrase as it stands in an answer, with a value wherever one is put in. */
const phrases = {
  ...tutorPhrases,
  unread: tutorPhrases.unread(["One", "Two"], 0),
  unreadMore: tutorPhrases.unread(["One", "Two", "Three"], 4),
  socraticAsk: tutorPhrases.socraticAsk("What is a codon?"),
  // The question alone, in its own language.
  ask: "",
  right: tutorPhrases.right("a codon"),
  partly: tutorPhrases.partly("a codon"),
  wrong: tutorPhrases.wrong("a codon"),
  next: tutorPhrases.next("What is a codon?"),
  otherLanguage: tutorPhrases.otherLanguage("German"),
  planDay: tutorPhrases.planDay("Tuesday, 1 September", 3, "Genes 3"),
  planDayOne: tutorPhrases.planDay("Tuesday 1 September", 1, "Genes 1"),
  planNew: tutorPhrases.planNew(1),
  planNewMany: tutorPhrases.planNew(12),
  followUp: tutorPhrases.followUp("Codons"),
};

test("each phrase of the tutor's own is read in German in a German interface, and as it is in an English one", async () => {
  const said = Object.values(phrases).filter((phrase): phrase is string => phrase !== "");
  expect(said.every((phrase) => typeof phrase === "string" && translatePhrases(phrase) === phrase)).toBe(true);
  await speakGerman();
  expect(said.filter((phrase) => translatePhrases(phrase) === phrase)).toEqual([]);
});

test("a plan names its days in German", async () => {
  await speakGerman();
  const plan = [tutorPhrases.planLead, `${phrases.planDay}\n${phrases.planDayOne}`, phrases.planNewMany].join("\n\n");
  expect(translatePhrases(plan)).toBe(
    "Fällige Karten in den nächsten sieben Tagen:\n\n" +
      "- **Dienstag, 1. September**: 3 Karten (Genes 3)\n- **Dienstag, 1. September**: 1 Karte (Genes 1)\n\n" +
      "12 Karten sind neu und können an jedem Tag begonnen werden.",
  );
});

test("the words of a source, of a card and of a model stay as they are beside German phrases", async () => {
  await speakGerman();
  const quoted = "Your sources do not say. Nothing in them is about this. [^1]";
  expect(translatePhrases(`${tutorPhrases.builtinLead}\n\n${quoted}`)).toBe(
    `Aus deinen Quellen, Wort für Wort:\n\n${quoted}`,
  );
  const judged = `${tutorPhrases.right("Not yet. The answer: none")} [^1]\n\n${tutorPhrases.next("What is new?")}`;
  expect(translatePhrases(judged)).toBe(
    "Das stimmt. Die Antwort: **Not yet. The answer: none** [^1]\n\nWeiter: **What is new?**",
  );
  const model = "It reads mRNA. [^1] Next: codons.\n\n- **First**: 3 cards (so they say)\n- two";
  expect(translatePhrases(model)).toBe(model);
  const hint = `${tutorPhrases.hint} [^1]\n\n${tutorPhrases.socraticAsk("What is a codon?")}`;
  expect(translatePhrases(hint)).toBe("Versuche es zuerst selbst. Sieh hier nach: [^1]\n\nUnd nun: What is a codon?");
});
