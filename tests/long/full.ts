/** Whether to run every case (`npm run test:long -- --full`) instead of the sample of the default run. */
export const isFull = process.env["LONG_FULL"] === "1";
