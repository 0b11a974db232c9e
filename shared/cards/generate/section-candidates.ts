import type { Lexicon } from "../source/lexicon.ts";
import { resolveReferences } from "../source/resolved-references.ts";
import type { Section } from "../source/sections.ts";
import type { Fact } from "../source/facts.ts";
import { wordsOf } from "#shared/text/words.ts";
import type { Candidate } from "./candidates.ts";
import { askCauses } from "./causes.ts";
import { askCircumstances } from "./circumstances.ts";
import { makeBlanks } from "./cloze.ts";
import { askDefinitions, askParentheticalDefinitions } from "./definitions.ts";
import { askForDenseDeck, askLastResort } from "./dense-deck-cards.ts";
import { askExplainedItems } from "./explained-lists.ts";
import { askCounted, askHeadedList, askListed } from "./lists.ts";
import { askBracketNames } from "./names/bracket-names.ts";
import { askOrigins } from "./names/named-after.ts";
import { askRelations } from "./relations.ts";
import { askStructures } from "./structures.ts";

/** A section with its sentences. */
export interface ReadSection {
  section: Section;
  facts: Fact[];
  /** The position of its first fact in the source. */
  firstOrder: number;
  /** The position after its last fact. */
  endOrder: number;
}

/** Everything that could be asked about a section. */
export function candidatesOf({ section, facts, firstOrder }: ReadSection, lexicon: Lexicon): Candidate[] {
  return [
    ...askListed(section, facts, lexicon),
    ...askHeadedList(section, firstOrder, lexicon),
    ...askStructures(section, facts, firstOrder),
    ...facts.flatMap((fact) => {
      const found = candidatesOfFact(fact, lexicon);
      return found.length > 0 ? found : askLastResort(fact, lexicon);
    }),
  ];
}

function candidatesOfFact(fact: Fact, lexicon: Lexicon): Candidate[] {
  const readings = [
    ...fact.parts,
    ...resolveReferences(fact, lexicon),
    ...(fact.parts.length > 0 && wordsOf(fact.text).length > 24 ? [] : [fact]),
  ];
  return [
    ...askExplainedItems(fact),
    ...askOrigins(fact),
    ...askBracketNames(fact),
    ...askParentheticalDefinitions(fact, lexicon),
    ...readings.flatMap((reading) => [
      ...askDefinitions(reading, lexicon),
      ...askCounted(reading, lexicon),
      ...askCircumstances(reading, lexicon),
      ...askCauses(reading, lexicon),
      ...askRelations(reading, lexicon),
      ...makeBlanks(reading, lexicon),
      ...askForDenseDeck(reading, lexicon),
    ]),
  ];
}
