import { BLANK, CARD_FORMS, type CardForm, type FormPreference } from "../schema.ts";

export type FormCounts = Partial<Record<CardForm, number>>;

const withoutHeading = (question: string) => question.replace(/^[^:?_]{2,60}: /, "");

const FORM_PATTERNS: readonly [CardForm, RegExp][] = [
  ["opening_blank", new RegExp(`^(?:(?:The|A/an|An?) )?${BLANK}`)],
  ["closing_blank", new RegExp(`${BLANK}\\W*$`)],
  ["blank", new RegExp(BLANK)],
  ["cell", /“[^”]+” (?:of|for) “/],
  ["name", /\b(?:called|known as|the term for|referred to as|named|stand for)\b/],
  ["definition", /^What (?:is|are) [^?]{2,50}\?$/],
  ["reason", /\bwhy\b/i],
  ["circumstance", /\b(?:when|where|how|what happens)\b/i],
];

export function cardForm(question: string): CardForm {
  const bare = withoutHeading(question);
  return FORM_PATTERNS.find(([, pattern]) => pattern.test(bare))?.[0] ?? "question";
}

export function countForms(questions: readonly string[]): FormCounts {
  const counts: FormCounts = {};
  for (const question of questions) {
    const form = cardForm(question);
    counts[form] = (counts[form] ?? 0) + 1;
  }
  return counts;
}

/** Too few changed cards show nothing about a form. */
const MIN_CHANGED = 5;
/** Weight of the average of all forms, in cards. */
const PRIOR_CARDS = 10;
const MAX_PREFERENCE = 1.5;

const sumOf = (counts: FormCounts) => Object.values(counts).reduce((sum, count) => sum + count, 0);
const logit = (share: number) => Math.log(share / (1 - share));

/**
 * How much more or less often than average a student leaves cards of each form unchanged, as a difference of logits.
 */
export function learnFormPreference(made: FormCounts, changed: FormCounts): FormPreference {
  const [allMade, allChanged] = [sumOf(made), sumOf(changed)];
  if (allChanged < MIN_CHANGED || allMade <= allChanged) return {};
  const average = 1 - allChanged / allMade;
  const entries = CARD_FORMS.map((form): [CardForm, number] => {
    const count = Math.max(made[form] ?? 0, changed[form] ?? 0);
    const unchanged = count - (changed[form] ?? 0);
    const share = (unchanged + PRIOR_CARDS * average) / (count + PRIOR_CARDS);
    const formPreference = Math.max(-MAX_PREFERENCE, Math.min(MAX_PREFERENCE, logit(share) - logit(average)));
    return [form, Math.round(formPreference * 100) / 100];
  });
  return Object.fromEntries(entries.filter(([, formPreference]) => formPreference !== 0));
}
