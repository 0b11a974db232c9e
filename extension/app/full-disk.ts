/** Nothing could be written to the disk of this device: what stood there stands. */
export class NotKept extends Error {}

/** Runs a step that writes to disk. Rejects with `NotKept` where the disk takes no more. */
export async function onDisk<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    // Browsers have several names for a disk that takes no more; only what cannot be stored at all is another matter.
    if (!(error instanceof DOMException) || error.name === "DataCloneError") throw error;
    throw new NotKept(error.message, { cause: error });
  }
}
