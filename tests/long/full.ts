/** Whether every case is wanted (`npm run test:long -- --full`), not the sample that the default run takes. */
export const isFull = process.env["LONG_FULL"] === "1";
