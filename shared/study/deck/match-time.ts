/** The shorter of two times; undefined means no time. */
export const minDefined = (first: number | undefined, second: number | undefined): number | undefined =>
  first === undefined || (second !== undefined && second < first) ? second : first;
