import { planLimits } from "#shared/billing/rules.ts";
import "./free-plan.css";

type Word = "free_title" | `free_${(typeof parts)[number]}` | `free_${(typeof parts)[number]}_title`;
type Params = Readonly<Record<"cards" | "messages", number>>;

const parts = ["included", "missing", "server"] as const;

const { studyCards: cards, assistantMessages: messages } = planLimits.FREE;

/** Explains what the free plan includes and what it does not. Other pages link to this section. */
export function FreePlan({ text }: { text: (word: Word, params: Params) => string }) {
  const write = (word: Word) => text(word, { cards, messages });
  return (
    <section className="free-plan" id="free" aria-labelledby="free-title">
      <h2 id="free-title">{write("free_title")}</h2>
      <div className="pricing-notes">
        {parts.map((part) => (
          <p key={part}>
            <b>{write(`free_${part}_title`)}</b>
            {write(`free_${part}`)}
          </p>
        ))}
      </div>
    </section>
  );
}
