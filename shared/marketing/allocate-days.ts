const DAY_MS = 86_400_000;
/** A plan covers at most this many days. */
export const MAX_PLAN_DAYS = 366;
/** Times are multiples of this, so that a plan can be followed with a clock. */
export const STEP_MINUTES = 5;
/** An exam gets at least this much of a day, or nothing, so that nobody changes subjects every few minutes. */
const MIN_SHARE_MINUTES = 20;
/** Share of an exam's time that the day before it may take. */
const LAST_DAY_SHARE = 0.2;

export const toStep = (minutes: number): number => Math.round(minutes / STEP_MINUTES) * STEP_MINUTES;

export const toDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

export interface DayShare {
  day: string;
  minutes: number;
}

interface Period {
  start: string;
  /** Not a study day any more. */
  exam: string;
  minutes: readonly number[];
}

const countDays = ({ start, exam }: Omit<Period, "minutes">) =>
  Math.round((Date.parse(exam) - Date.parse(start)) / DAY_MS);

/** Days from `start` up to the day before the exam on which there is time. */
export function studyDays({ start, exam, minutes }: Period): DayShare[] {
  const first = Date.parse(start);
  const count = Math.min(MAX_PLAN_DAYS, countDays({ start, exam }));
  // Without a valid date the count is NaN.
  return Array.from({ length: Number.isFinite(count) ? Math.max(0, count) : 0 }, (_, index) => {
    const time = first + index * DAY_MS;
    return {
      day: toDay(time),
      minutes: minutes[(new Date(time).getUTCDay() + 6) % 7] ?? 0,
    };
  }).filter((one) => one.minutes > 0);
}

/** How many days right before the exam are left out. */
export const countDaysLeftOut = (period: Omit<Period, "minutes">): number =>
  Math.max(0, countDays(period) - MAX_PLAN_DAYS);

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

interface ExamNeed {
  /** Position in the request. */
  index: number;
  /** How many of the study days are before the exam. */
  days: number;
  weight: number;
  /** Minutes. */
  need: number;
}

/**
 * The minutes for each exam, in the order of their days. Every topic gets equally much time for its weight, as far as the
 * time before each exam allows: where the days before the first exams are too few for that, those exams get all of them.
 */
function findNeeds(exams: readonly Omit<ExamNeed, "need">[], minutes: readonly number[]): ExamNeed[] {
  const needs: ExamNeed[] = [];
  let used = 0;
  while (needs.length < exams.length) {
    const rest = exams.slice(needs.length);
    // The first exams, up to each of the rest, can use only the days before the last of them.
    const rates = rest.map(({ days }, at) => {
      const weight = sum(rest.slice(0, at + 1).map((one) => one.weight));
      return (sum(minutes.slice(0, days)) - used) / weight;
    });
    const rate = Math.min(...rates);
    const group = rest.slice(0, rates.lastIndexOf(rate) + 1);
    needs.push(...group.map((exam) => ({ ...exam, need: rate * exam.weight })));
    used = sum(minutes.slice(0, group.at(-1)?.days));
  }
  return needs;
}

/** Takes an exam's minutes from what is left of the days before it: evenly, and more on its last day. */
function takeMinutes({ days, need }: ExamNeed, left: number[]): number[] {
  const open = left.slice(0, days);
  const last = open.findLastIndex((minutes) => minutes > 0);
  const total = sum(open);
  if (last === -1 || total <= 0) return open.map(() => 0);
  const even = Math.min(1, need / total);
  const onLastDay = Math.max((open[last] ?? 0) * even, Math.min(open[last] ?? 0, need * LAST_DAY_SHARE));
  const before = total - (open[last] ?? 0);
  const rate = before > 0 ? Math.min(1, Math.max(0, need - onLastDay) / before) : 0;
  return open.map((minutes, day) => {
    const taken = day === last ? onLastDay : minutes * rate;
    left[day] = minutes - taken;
    return taken;
  });
}

/**
 * Rounds one day's shares. What an exam gets too little or too much of stays in `debts`, and is balanced on later days.
 */
function roundDay(minutes: number, open: readonly number[], debts: number[]): Map<number, number> {
  const order = open.toSorted((a, b) => (debts[b] ?? 0) - (debts[a] ?? 0));
  const shares = new Map<number, number>();
  let left = minutes;
  for (const [at, exam] of order.entries()) {
    const owed = toStep(debts[exam] ?? 0);
    const wanted = Math.min(left, Math.max(MIN_SHARE_MINUTES, owed));
    const share = at === order.length - 1 || left - wanted < MIN_SHARE_MINUTES ? left : wanted;
    if (share <= 0) break;
    shares.set(exam, share);
    debts[exam] = (debts[exam] ?? 0) - share;
    left -= share;
  }
  return shares;
}

export interface ShareRequest {
  start: string;
  exams: readonly { exam: string; weight: number }[];
  /** Minutes by day of the week, Monday first. */
  minutes: readonly number[];
}

/** The study days of each exam, in the order of the request, with the minutes that it gets of them. */
export function allocateDays({ start, exams, minutes }: ShareRequest): DayShare[][] {
  const period = {
    start,
    exam:
      exams
        .map(({ exam }) => exam)
        .toSorted()
        .at(-1) ?? start,
    minutes,
  };
  const days = studyDays(period);
  const capacity = days.map((day) => day.minutes);
  const ordered = exams
    .map(({ exam, weight }, index) => ({ index, exam, weight, days: days.filter(({ day }) => day < exam).length }))
    .toSorted((a, b) => a.exam.localeCompare(b.exam));
  const left = [...capacity];
  const targets = new Map(findNeeds(ordered, capacity).map((need) => [need.index, takeMinutes(need, left)]));
  const debts = exams.map(() => 0);
  const shared = exams.map((): DayShare[] => []);
  for (const [at, { day, minutes: available }] of days.entries()) {
    const open = ordered.filter(({ days: count }) => at < count).map(({ index }) => index);
    for (const exam of open) debts[exam] = (debts[exam] ?? 0) + (targets.get(exam)?.[at] ?? 0);
    for (const [exam, share] of roundDay(available, open, debts)) shared[exam]?.push({ day, minutes: share });
  }
  return shared;
}
