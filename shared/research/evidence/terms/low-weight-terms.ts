import { contentQuery } from "#shared/text/query-stopwords.ts";
import { searchTerms } from "#shared/text/search-terms.ts";

/** Words that do not identify the subject of a question: "turn light into sugar", "the role of ribosomes". */
const LOW_WEIGHT_TERMS = new Set(
  searchTerms(
    "turn make get take give work use become happen come go put keep let need help find build create change affect involve " +
      "according before after during matter occur role function purpose importance significance effect consequence impact outcome reason way kind type feature property limit limitation disadvantage drawback exception " +
      "mache bekomme nehme gebe arbeite benutze werde passiere komme gehe brauche helfe finde verändere erzeuge funktioniere " +
      "rolle funktion aufgabe zweck bedeutung wirkung folge auswirkung grund weise art eigenschaft merkmal grenze nachteil ausnahme",
  ),
);

/** Whether a search term does not identify the subject of a question. */
export const isLowWeightTerm = (term: string): boolean => LOW_WEIGHT_TERMS.has(term);

/** The search terms of a question that name something. */
export const namingTerms = (query: string): string[] =>
  searchTerms(contentQuery(query)).filter((term) => !isLowWeightTerm(term));
