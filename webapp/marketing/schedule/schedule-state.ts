import { parseTopics, allocatePlan, type PlanRequest } from "#shared/marketing/study-plan.ts";

/** One exam or course of the form. */
export interface ExamForm {
  name: string;
  exam: string;
  topics: string;
}

/** The values of the form, which are stored in the address after the `#`. */
export interface ScheduleForm {
  start: string;
  /** At least one. */
  exams: readonly ExamForm[];
  /** Hours by day of the week, Monday first. */
  hours: readonly number[];
  withReviews: boolean;
}

export const emptyExam: ExamForm = { name: "", exam: "", topics: "" };

export const emptyForm: ScheduleForm = {
  start: "",
  exams: [emptyExam],
  hours: [2, 2, 2, 2, 2, 3, 0],
  withReviews: true,
};

export const MAX_EXAMS = 8;
const MAX_HOURS = 16;
/** Longer than the topics of any exam. */
export const MAX_TOPICS_CHARS = 20_000;

/** Each exam adds its `name`, `exam` and `topics`, in this order; an address with one exam is as it always was. */
export const toFragment = ({ start, exams, hours, withReviews }: ScheduleForm): string =>
  new URLSearchParams([
    ["start", start],
    ...exams.flatMap(({ name, exam, topics }) => [
      ["name", name],
      ["exam", exam],
      ["topics", topics],
    ]),
    ["hours", hours.join(" ")],
    ["reviews", withReviews ? "1" : "0"],
  ]).toString();

const dayOr = (value: string | null | undefined, otherwise: string) =>
  value && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : otherwise;

function readExams(values: URLSearchParams): ExamForm[] {
  const [names, exams, topics] = ["name", "exam", "topics"].map((key) => values.getAll(key).slice(0, MAX_EXAMS));
  const count = Math.max(1, names?.length ?? 0, exams?.length ?? 0, topics?.length ?? 0);
  return Array.from({ length: count }, (_, index) => ({
    name: (names?.[index] ?? "").slice(0, 120),
    exam: dayOr(exams?.[index], ""),
    topics: (topics?.[index] ?? "").slice(0, MAX_TOPICS_CHARS),
  }));
}

/** Reads the form from the address. Missing or invalid values are replaced by those of an empty form. */
export function fromFragment(fragment: string, today: string): ScheduleForm {
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  const hours = (values.get("hours") ?? "").split(" ").map(Number);
  const areHours = hours.length === 7 && hours.every((count) => count >= 0 && count <= MAX_HOURS);
  return {
    start: dayOr(values.get("start"), today),
    exams: readExams(values),
    hours: areHours ? hours : emptyForm.hours,
    withReviews: values.get("reviews") !== "0",
  };
}

type Problem = "schedule_empty" | "schedule_past" | "schedule_no_hours" | "schedule_tight";

const MIN_TOPIC_MINUTES = 15;

const isComplete = ({ exam, topics }: ExamForm) => exam !== "" && parseTopics(topics).length > 0;

/** Exams that are begun but lack their day or their topics, so that the plan is without them. */
export const listUnplanned = ({ exams }: ScheduleForm): ExamForm[] =>
  exams.filter((exam) => !isComplete(exam) && Object.values(exam).some((value: string) => value.trim() !== ""));

/** The request for a plan of the exams that are complete, or the problem with the form. */
export function toRequest(form: ScheduleForm): PlanRequest | Problem {
  const { start, withReviews } = form;
  const exams = form.exams.filter(isComplete).map((exam) => ({ ...exam, topics: parseTopics(exam.topics) }));
  if (start === "" || exams.length === 0) return "schedule_empty";
  if (exams.some(({ exam }) => exam <= start)) return "schedule_past";
  const request = { start, exams, withReviews, minutes: form.hours.map((hours) => Math.round(hours * 60)) };
  const shares = allocatePlan(request).map((days) => days.reduce((sum, day) => sum + day.minutes, 0));
  if (shares.every((minutes) => minutes === 0)) return "schedule_no_hours";
  const isTight = exams.some(({ topics }, index) => (shares[index] ?? 0) / topics.length < MIN_TOPIC_MINUTES);
  return isTight ? "schedule_tight" : request;
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
