import { Link } from "@tanstack/react-router";
import { t } from "#shared/messages/translate.ts";
import { screenPath } from "#shared/screens.ts";
import "./landing-screen.css";

export function LandingScreen() {
  return (
    <>
      <section className="hero">
        <div>
          <h1>
            <span>{t("marketing.headline_first")}</span> <span>{t("marketing.headline_rest")}</span>
          </h1>
          <p>{t("marketing.lede")}</p>
          <StartLink />
        </div>
        <Example />
      </section>
      <section className="landing-three">
        <Benefit title={t("marketing.line_title")}>{t("marketing.line_text")}</Benefit>
        <Benefit title={t("marketing.time_title")}>{t("marketing.time_text")}</Benefit>
        <Benefit title={t("marketing.safe_title")}>{t("marketing.safe_text")}</Benefit>
      </section>
      <section className="landing-how">
        <h2>{t("marketing.how_title")}</h2>
        <ol>
          <Step title={t("marketing.how_read_title")}>{t("marketing.how_read_text")}</Step>
          <Step title={t("marketing.how_make_title")}>{t("marketing.how_make_text")}</Step>
          <Step title={t("marketing.how_study_title")}>{t("marketing.how_study_text")}</Step>
        </ol>
      </section>
      <section className="landing-end">
        <h2>{t("marketing.end_title")}</h2>
        <StartLink />
      </section>
    </>
  );
}

function StartLink() {
  return (
    <Link className="button button-primary button-l" to={screenPath("register", {})}>
      {t("marketing.start_studying")}
    </Link>
  );
}

/** An example passage, with the source of the card below highlighted. */
function Example() {
  return (
    <figure className="hero-example" aria-label={t("marketing.example")}>
      <p>
        {t("marketing.example_before")} <span className="lit">{t("marketing.example_lit")}</span>{" "}
        {t("marketing.example_after")}
      </p>
      <div className="hero-card">
        <p>{t("marketing.example_question")}</p>
        <p>
          {t("marketing.example_answer")} <span className="hero-place">{t("marketing.example_place")}</span>
        </p>
      </div>
    </figure>
  );
}

function Benefit({ title, children }: { title: string; children: string }) {
  return (
    <div>
      <h2>{title}</h2>
      <p>{children}</p>
    </div>
  );
}

function Step({ title, children }: { title: string; children: string }) {
  return (
    <li>
      <h3>{title}</h3>
      <p>{children}</p>
    </li>
  );
}
