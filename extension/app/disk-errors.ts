/** A write failed because the disk is full; nothing was changed. */
export class DiskWriteError extends Error {}

/** Runs a write. Rejects with `DiskWriteError` if the disk is full. */
export async function runDiskWrite<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    // Browsers use several error names for a full disk; only `DataCloneError` means something else.
    if (!(error instanceof DOMException) || error.name === "DataCloneError") throw error;
    throw new DiskWriteError(error.message, { cause: error });
  }
}
