/** Whether to run every case (`npm test -- --full`, `npm run test:long -- --full`) instead of the usual sample. */
export const isFull = process.env["ALL_CASES"] === "1";
