import { renderToStaticMarkup } from "react-dom/server";
import { type LimitRow, limitRows, type ShownPlan, valuesOf, withStorage } from "#shared/billing/limit-rows.ts";
import { formatPrice } from "#shared/billing/currency.ts";
import { defaultPrices, toPriceInfo } from "#shared/billing/prices.ts";
import { isUnlimited, planLimits } from "#shared/billing/rules.ts";
import type { PaidPlan, Recurrence } from "#shared/billing/schema.ts";
import { billing as german } from "#shared/messages/de/account/billing.ts";
import { user as germanNames } from "#shared/messages/de/account/user.ts";
import { billing as english } from "#shared/messages/en/account/billing.ts";
import { user as englishNames } from "#shared/messages/en/account/user.ts";
import { interpolate } from "#shared/messages/interpolate.ts";
import { screenPath } from "#shared/screens.ts";
import { FreePlan } from "#webapp/billing/parts/free-plan.tsx";
import { PlanNotes } from "#webapp/billing/parts/plan-notes.tsx";
import { PlanTable } from "#webapp/billing/parts/plan-table.tsx";
import type { SiteLanguage } from "../site/pages.ts";

type Words = Readonly<Record<keyof typeof english, string>>;
const wordsOf = (language: SiteLanguage): Words => (language === "de" ? german : english);
const plansOf = (language: SiteLanguage): Readonly<Record<ShownPlan, string>> => {
  const names = language === "de" ? germanNames : englishNames;
  return { FREE: names.plan_FREE, PLUS: names.plan_PLUS, ULTIMATE: names.plan_ULTIMATE };
};

const recurrences = ["monthly", "yearly"] as const satisfies readonly Recurrence[];

/**
 * The plans and limits on the public page, which does not load the app. The server removes the parts that do not apply.
 */
export function PricingBody({ language }: { language: SiteLanguage }) {
  const sold = renderToStaticMarkup(<SoldPlans language={language} />);
  const given = renderToStaticMarkup(<GrantedPlans language={language} />);
  const html = `<!--if PAYMENTS-->${sold}<!--/if--><!--unless PAYMENTS-->${given}<!--/unless-->`;
  return <div className="pricing" id="pricing" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Shows the default prices in US dollars. The page's script replaces them with the prices of the visitor's country. */
function SoldPlans({ language }: { language: SiteLanguage }) {
  const words = wordsOf(language);
  return (
    <>
      <header className="pricing-head">
        <div>
          <h1>{words.pricing_title}</h1>
          <p>{words.pricing_intro}</p>
        </div>
        <RecurrenceChoice words={words} />
      </header>
      <p className="pricing-notice" id="pricing-failed" role="status" hidden>
        {words.prices_failed}
      </p>
      <PlanTable
        rows={rowsOf(words, language)}
        words={{ ...words, plans: plansOf(language) }}
        highlightedPlan="PLUS"
        hint={words.pricing_hint}
        renderHead={(plan) => <Price plan={plan} language={language} />}
      />
      <FreePlan text={(word, params) => interpolate(words[word], params)} />
      <PlanNotes names={["limit", "stop", "failed"]} text={(word) => words[word]} />
    </>
  );
}

/** The plans of a server that sells none. */
function GrantedPlans({ language }: { language: SiteLanguage }) {
  const words = wordsOf(language);
  return (
    <>
      <header className="pricing-head">
        <div>
          <h1 dangerouslySetInnerHTML={{ __html: words.given_title + freeAnchor }} />
          <p dangerouslySetInnerHTML={{ __html: `${words.given_intro} ${newAccountPlan(words, plansOf(language))}` }} />
        </div>
        <a className="button button-primary button-l" href={screenPath("register", {})}>
          {words.start_free}
        </a>
      </header>
      <PlanTable
        rows={rowsOf(words, language)}
        words={{ ...words, plans: plansOf(language) }}
        highlightedPlan={undefined}
        hint={words.given_hint}
        renderHead={(plan) => (
          <>
            <p className="plan-price-note plan-given">{words[`given_${plan}`]}</p>
            <p className="plan-price-current" dangerouslySetInnerHTML={{ __html: newAccountNote(plan, words) }} />
          </>
        )}
      />
      <div dangerouslySetInnerHTML={{ __html: freePlanSection(words) }} />
      <PlanNotes names={["limit", "change"]} text={(word) => words[word]} />
    </>
  );
}

/** The sentence that names the plan of new accounts. The server removes those about the other plans. */
const newAccountPlan = (words: Words, plans: Readonly<Record<ShownPlan, string>>) =>
  (["FREE", "PLUS", "ULTIMATE"] as const)
    .map((plan) => `<!--if NEW_${plan}-->${interpolate(words.given_plan, { plan: plans[plan] })}<!--/if-->`)
    .join("");

/** A note on the plan of new accounts. The server removes it from the other plans. */
const newAccountNote = (plan: ShownPlan, words: Words) => `<!--if NEW_${plan}-->${words.given_new}<!--/if-->`;

/** If new accounts get a paid plan, the page has no section about the free plan, so links to it lead to the title. */
const freeAnchor = ["PLUS", "ULTIMATE"]
  .map((plan) => `<!--if NEW_${plan}--><span id="free"></span><!--/if-->`)
  .join("");

/** The section about the free plan. The server removes it if new accounts get another plan. */
function freePlanSection(words: Words): string {
  const free = renderToStaticMarkup(<FreePlan text={(word, params) => interpolate(words[word], params)} />);
  return `<!--if NEW_FREE-->${free}<!--/if-->`;
}

function RecurrenceChoice({ words }: { words: Words }) {
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">{words.recurrence}</legend>
      <div className="segmented-bar">
        {recurrences.map((recurrence) => (
          <label key={recurrence} className="segmented-option">
            <input type="radio" name="recurrence" value={recurrence} defaultChecked={recurrence === "yearly"} />
            {words[recurrence]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function rowsOf(words: Words, language: SiteLanguage): LimitRow[] {
  const number = new Intl.NumberFormat(language, { useGrouping: "min2" });
  const rows = limitRows.map(([name, label, unit]) => ({
    label: words[label],
    values: valuesOf((plan) => {
      const limit = planLimits[plan][name];
      return isUnlimited(name, limit) ? words.no_limit : interpolate(words[unit], { count: number.format(limit) });
    }),
  }));
  return withStorage(rows, {
    label: words.row_storage,
    values: valuesOf((plan) => interpolate(words.gigabytes, { count: `{{STORAGE_GB_${plan}}}` })),
  });
}

const defaultPriceInfo = (plan: PaidPlan, language: SiteLanguage) =>
  toPriceInfo({ amounts: defaultPrices[plan], currency: "usd", country: "US", language });

/** An amount of a plan, which the script replaces. */
const amountSpan = (plan: PaidPlan, which: "month" | "monthly" | "yearly" | "free", language: SiteLanguage): string => {
  const { monthly, yearly } = defaultPrices[plan];
  const amount = { month: yearly / 12, monthly, yearly, free: 0 }[which];
  const text = formatPrice(defaultPriceInfo(plan, language), amount, language);
  return `<span data-plan="${plan}" data-amount="${which}">${text}</span>`;
};

const percentSpan = (plan: PaidPlan, language: SiteLanguage): string =>
  `<span data-plan="${plan}" data-amount="percent">${defaultPriceInfo(plan, language).yearly_discount_percent}</span>`;

function Price({ plan, language }: { plan: ShownPlan; language: SiteLanguage }) {
  const words = wordsOf(language);
  if (plan === "FREE")
    return (
      <>
        <p className="plan-price" dangerouslySetInnerHTML={{ __html: amountSpan("PLUS", "free", language) }} />
        <p className="plan-price-note">{words.free_note}</p>
        <a className="button button-secondary plan-price-button" href={screenPath("register", {})}>
          {words.start_free}
        </a>
      </>
    );
  const saving = { price: amountSpan(plan, "yearly", language), percent: percentSpan(plan, language) };
  const orMonthly = interpolate(words.or_monthly, { price: amountSpan(plan, "monthly", language) });
  const yearly = `${interpolate(words.yearly_less, saving)}<br>${orMonthly}`;
  return (
    <>
      <Amount recurrence="yearly" html={amountSpan(plan, "month", language)} note={yearly} words={words} />
      <Amount
        recurrence="monthly"
        html={amountSpan(plan, "monthly", language)}
        note={interpolate(words.or_yearly, saving)}
        words={words}
      />
      <ChooseLink plan={plan} language={language} />
    </>
  );
}

interface AmountProps {
  recurrence: Recurrence;
  html: string;
  note: string;
  words: Words;
}

function Amount({ recurrence, html, note, words }: AmountProps) {
  return (
    <div className={`pricing-${recurrence}`}>
      <p className="plan-price" dangerouslySetInnerHTML={{ __html: `${html} <small>${words.a_month_short}</small>` }} />
      <p className="plan-price-note" dangerouslySetInnerHTML={{ __html: note }} />
    </div>
  );
}

function ChooseLink({ plan, language }: { plan: PaidPlan; language: SiteLanguage }) {
  return (
    <a
      className={`button ${plan === "PLUS" ? "button-primary" : "button-secondary"} plan-price-button`}
      href={`${screenPath("login", {})}?from=${encodeURIComponent(screenPath("pricing", {}))}`}
    >
      {interpolate(wordsOf(language).choose, { plan: plansOf(language)[plan] })}
    </a>
  );
}
