import type { Candidate } from "./candidates.ts";
import type { Fact } from "../source/facts.ts";
import type { Lexicon } from "../source/lexicon.ts";
import { askObject, askPassive } from "./objects.ts";
import { readRelation } from "./clause-readings.ts";
import { askAgent, askSubject } from "./subjects.ts";
import { isBe } from "#shared/text/verbs.ts";

/** Questions about who does what. */
export function askRelations(fact: Fact, lexicon: Lexicon): Candidate[] {
  const reading = readRelation(fact, lexicon);
  if (!reading) return [];
  const isPassive = isBe(reading.clause.verbs[0]);
  const found = isPassive ? [askAgent(reading), askPassive(reading)] : [askObject(reading)];
  return [...found, askSubject(reading)].filter((c) => c !== undefined);
}
