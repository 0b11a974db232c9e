import type { Candidate } from "#shared/engine/candidates.ts";
import type { Fact } from "#shared/engine/facts.ts";
import type { Lexicon } from "#shared/engine/naming.ts";
import { askObject, askPassive } from "#shared/engine/objects.ts";
import { readRelation } from "#shared/engine/readings.ts";
import { askAgent, askSubject } from "#shared/engine/subjects.ts";
import { isBe } from "#shared/engine/verbs.ts";

/** Questions from who does what. */
export function askRelations(fact: Fact, lexicon: Lexicon): Candidate[] {
  const reading = readRelation(fact, lexicon);
  if (!reading) return [];
  const isPassive = isBe(reading.clause.verbs[0]);
  const found = isPassive ? [askAgent(reading), askPassive(reading)] : [askObject(reading)];
  return [...found, askSubject(reading)].filter((c) => c !== undefined);
}
