import { parseTopics, studyDays, type PlanRequest } from "#shared/marketing/study-plan.ts";

/** The values of the form, which are stored in the address after the `#`. */
export interface ScheduleForm {
  name: string;
  start: string;
  exam: string;
  topics: string;
  /** Hours by day of the week, Monday first. */
  hours: readonly number[];
  withReviews: boolean;
}

export const emptyForm: ScheduleForm = {
  name: "",
  start: "",
  exam: "",
  topics: "",
  hours: [2, 2, 2, 2, 2, 3, 0],
  withReviews: true,
};

const MAX_HOURS = 16;
/** Longer than the topics of any plan. */
export const MAX_TOPICS_CHARS = 20_000;

export const toFragment = ({ name, start, exam, topics, hours, withReviews }: ScheduleForm): string =>
  new URLSearchParams({
    name,
    start,
    exam,
    topics,
    hours: hours.join(" "),
    reviews: withReviews ? "1" : "0",
  }).toString();

const dayOr = (value: string | null, otherwise: string) =>
  value !== null && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : otherwise;

/** Reads the form from the address. Missing or invalid values are replaced by those of an empty form. */
export function fromFragment(fragment: string, today: string): ScheduleForm {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  const hours = (values.get("hours") ?? "").split(" ").map(Number);
  const areHours = hours.length === 7 && hours.every((count) => count >= 0 && count <= MAX_HOURS);
  return {
    name: (values.get("name") ?? "").slice(0, 120),
    start: dayOr(values.get("start"), today),
    exam: dayOr(values.get("exam"), ""),
    topics: (values.get("topics") ?? "").slice(0, MAX_TOPICS_CHARS),
    hours: areHours ? hours : emptyForm.hours,
    withReviews: values.get("reviews") !== "0",
  };
}

type Problem = "schedule_empty" | "schedule_past" | "schedule_no_hours" | "schedule_tight";

const MIN_TOPIC_MINUTES = 15;

/** The request for a plan, or the problem with the form. */
export function toRequest(form: ScheduleForm): PlanRequest | Problem {
  const { start, exam, withReviews } = form;
  const topics = parseTopics(form.topics);
  if (start === "" || exam === "" || topics.length === 0) return "schedule_empty";
  if (exam <= start) return "schedule_past";
  const request = { start, exam, topics, withReviews, minutes: form.hours.map((hours) => Math.round(hours * 60)) };
  const minutes = studyDays(request).reduce((sum, day) => sum + day.minutes, 0);
  if (minutes === 0) return "schedule_no_hours";
  return minutes / topics.length < MIN_TOPIC_MINUTES ? "schedule_tight" : request;
}

const WRITE_AFTER_MS = 500;

/** Writes the form to the address when typing pauses, because browsers limit how often the address may change. */
export class FragmentWriter {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #form: ScheduleForm | undefined;

  write(form: ScheduleForm): void {
    this.#form = form;
    this.#timer ??= setTimeout(this.flush, WRITE_AFTER_MS);
  }

  readonly flush = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#form) history.replaceState(null, "", `#${toFragment(this.#form)}`);
    this.#form = undefined;
  };
}
