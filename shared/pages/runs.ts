import type { Run } from "./schema.ts";

type Attributes = NonNullable<Run["attributes"]>;
type Reference = NonNullable<Run["reference"]>;

/** A run without nesting, with all attributes that apply to it. */
export interface FlatRun {
  content: string;
  attributes?: Attributes;
  reference?: Reference;
}

function withoutUnset(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined && value !== false));
}

function flatten(runs: readonly Run[], above: Omit<FlatRun, "content">): FlatRun[] {
  return runs.flatMap((run): FlatRun[] => {
    const attributes = withoutUnset({ ...above.attributes, ...run.attributes });
    const reference = run.reference ?? above.reference;
    const inherited = {
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
      ...(reference ? { reference } : {}),
    };
    if (typeof run.content !== "string") return flatten(run.content, inherited);
    return run.content === "" ? [] : [{ content: run.content, ...inherited }];
  });
}

const keyOf = ({ attributes = {}, reference }: FlatRun) =>
  JSON.stringify([Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)), reference ?? null]);

/** Runs without nesting and empty runs, with equal neighbours joined, so that equal texts give equal runs. */
export function flatRuns(runs: readonly Run[]): FlatRun[] {
  const joined: FlatRun[] = [];
  for (const run of flatten(runs, {})) {
    const last = joined.at(-1);
    if (last && keyOf(last) === keyOf(run))
      joined[joined.length - 1] = { ...last, content: last.content + run.content };
    else joined.push(run);
  }
  return joined;
}

/** Whether a colour is a plain CSS colour, because nothing else from stored content may get into a style attribute. */
export const isColor = (color: string): boolean => /^(#[0-9a-f]{3,8}|[a-z]{3,30})$/i.test(color);

export const plainText = (runs: readonly Run[]): string =>
  runs.map(({ content }) => (typeof content === "string" ? content : plainText(content))).join("");
