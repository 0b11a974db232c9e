import { toStoreDamaged } from "#api/store/store-failures.ts";
import type { Blobs } from "./port.ts";

/**
 * Allows only reading while `isReadOnly` returns true. A sweep of a damaged database would otherwise delete the files
 * whose documents cannot be read.
 */
export function refuseChanges(blobs: Blobs, isReadOnly: () => boolean): Blobs {
  const requireWritable = () => {
    if (isReadOnly()) throw toStoreDamaged();
  };
  return {
    kind: blobs.kind,
    incoming: blobs.incoming,
    adopt: (path, written) => {
      const received = blobs.adopt(path, written);
      return {
        ...received,
        async commit() {
          requireWritable();
          await received.commit();
        },
      };
    },
    async receive(source, maxBytes) {
      requireWritable();
      return blobs.receive(source, maxBytes);
    },
    size: (key) => blobs.size(key),
    open: (key, range) => blobs.open(key, range),
    localPath: (key) => blobs.localPath(key),
    async remove(key) {
      requireWritable();
      await blobs.remove(key);
    },
    list: () => blobs.list(),
    async removeStoredBefore(key, beforeMs) {
      requireWritable();
      return blobs.removeStoredBefore(key, beforeMs);
    },
    checkHealth: () => blobs.checkHealth(),
    freeBytes: () => blobs.freeBytes(),
    close: () => blobs.close(),
  };
}
