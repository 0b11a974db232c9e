/** The shorter of two times; undefined means no time. */
export const fasterOf = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;
