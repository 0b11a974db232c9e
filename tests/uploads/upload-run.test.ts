import { array, assert as assertAll, asyncProperty, constantFrom, integer, record } from "fast-check";
import { expect, test } from "vitest";
import { NoResponseError } from "#shared/client/client.ts";
import { Failure } from "#shared/contract/failure.ts";
import { type UploadProgress, runUpload, type UploadCalls, type UploadPhase } from "#shared/uploads/upload-run.ts";

/** What happens to a call on its way; `late` calls are delivered much later, after other calls. */
type CallOutcome = "fine" | "lost" | "answer lost" | "doubled" | "late" | "refused" | "busy";

/** The server's side of the contract, over bytes in memory. */
class Server {
  bytes: number[] | undefined;
  made: number[] | undefined;
  completions = 0;
  readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  state(): UploadProgress {
    if (this.made) return { offset: this.size, isComplete: true };
    if (!this.bytes) throw new Failure("not_found", "no_upload");
    return { offset: this.bytes.length, isComplete: false };
  }

  start(): UploadProgress {
    if (!this.made) this.bytes ??= [];
    return this.state();
  }

  append(offset: number, piece: readonly number[]): UploadProgress {
    if (!this.bytes) throw new Failure("not_found", "no_upload");
    if (this.bytes.length !== offset)
      throw new Failure("version_conflict", { message: "elsewhere" }, undefined, { offset: this.bytes.length });
    this.bytes.push(...piece);
    return this.state();
  }

  complete(): number[] {
    if (this.made) return this.made;
    if (!this.bytes) throw new Failure("not_found", "no_upload");
    if (this.bytes.length !== this.size)
      throw new Failure("version_conflict", { message: "elsewhere" }, undefined, { offset: this.bytes.length });
    this.made = this.bytes;
    this.bytes = undefined;
    this.completions += 1;
    return this.made;
  }
}

interface Network {
  fates: readonly CallOutcome[];
  /** After this number of calls everything works, so that every run ends. */
  worksAfter: number;
}

const quietly = (work: () => unknown) => {
  try {
    work();
  } catch {
    // Nobody receives the answer.
  }
};

/** Delivers calls through an unreliable network. */
function aLine({ fates, worksAfter }: Network) {
  let calls = 0;
  const late: (() => unknown)[] = [];
  return async <T>(deliver: () => T): Promise<T> => {
    calls += 1;
    const fate: CallOutcome = calls > worksAfter ? "fine" : (fates[calls % fates.length] ?? "fine");
    if (calls % 3 === 0) for (const again of late.splice(0)) quietly(again);
    switch (fate) {
      case "fine":
        return deliver();
      case "lost":
        throw new NoResponseError("network");
      case "answer lost":
        quietly(deliver);
        throw new NoResponseError("timeout");
      case "doubled": {
        const answer = deliver();
        quietly(deliver);
        return answer;
      }
      case "late":
        late.push(deliver);
        throw new NoResponseError("network");
      case "refused":
        throw new Failure("broken", { message: "" });
      case "busy":
        throw new Failure("too_many_requests", { message: "" }, undefined, { retryAfterSeconds: 1 });
      default:
        return fate satisfies never;
    }
  };
}

interface Reported {
  waits: number[];
  phases: UploadPhase[];
  progress: number[];
}

function callsTo(server: Server, file: readonly number[], line: ReturnType<typeof aLine>): UploadCalls<number[]> {
  return {
    start: () => line(() => server.start()),
    state: () => line(() => server.state()),
    append: (offset, end, onSent) => {
      onSent(end - offset);
      return line(() => server.append(offset, file.slice(offset, end)));
    },
    complete: () => line(() => server.complete()),
  };
}

async function send(server: Server, file: readonly number[], network: Network, pieceBytes = 7) {
  const reported: Reported = { waits: [], phases: [], progress: [] };
  const made = await runUpload({
    calls: callsTo(server, file, aLine(network)),
    sizeBytes: file.length,
    pieceBytes,
    wait: async (ms) => void reported.waits.push(ms),
    isStopped: () => false,
    onProgress: (bytes) => reported.progress.push(bytes),
    onPhase: (phase) => reported.phases.push(phase),
  });
  return { made, reported };
}

const aFile = (length: number) => Array.from({ length }, (_, at) => at % 251);
const fine: Network = { fates: ["fine"], worksAfter: 0 };

test("a file is sent in pieces and completed once, with progress up to the whole size", async () => {
  const server = new Server(20);
  const { made, reported } = await send(server, aFile(20), fine);
  expect(made).toEqual(aFile(20));
  expect(reported.progress).toEqual(reported.progress.toSorted((a, b) => a - b));
  expect(reported.progress.at(-1)).toBe(20);
  expect(reported.phases.at(-1)).toBe("finishing");
  expect(reported.waits).toEqual([]);
});

test("the file arrives whole and once, despite lost, duplicated and delayed requests and responses", async () => {
  const fate = constantFrom<CallOutcome[]>("fine", "fine", "lost", "answer lost", "doubled", "late", "refused", "busy");
  await assertAll(
    asyncProperty(
      record({
        length: integer({ min: 1, max: 120 }),
        pieceBytes: integer({ min: 1, max: 40 }),
        fates: array(fate, { minLength: 1, maxLength: 20 }),
        worksAfter: integer({ min: 0, max: 60 }),
      }),
      async ({ length, pieceBytes, fates, worksAfter }) => {
        const server = new Server(length);
        const sent = await send(server, aFile(length), { fates, worksAfter }, pieceBytes).catch((error: unknown) => {
          // After too many failures the upload stops with an error, and another attempt continues it.
          if (!(error instanceof Failure) || error.status < 429) throw error;
          return send(server, aFile(length), fine, pieceBytes);
        });
        expect(sent.made).toEqual(aFile(length));
        expect(server.completions).toBe(1);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a stopped upload continues from the server's offset", async () => {
  const server = new Server(50);
  server.start();
  server.append(0, aFile(50).slice(0, 21));
  const { made, reported } = await send(server, aFile(50), fine);
  expect(made).toEqual(aFile(50));
  expect(reported.progress[0]).toBe(21);
});

test("an upload whose final response was lost returns the same result when repeated", async () => {
  const server = new Server(5);
  server.start();
  server.append(0, aFile(5));
  server.complete();
  expect((await send(server, aFile(5), fine)).made).toEqual(aFile(5));
  expect(server.completions).toBe(1);
});

test("retry delays grow to half a minute while there is no connection", async () => {
  const { reported } = await send(new Server(5), aFile(5), { fates: ["lost"], worksAfter: 9 });
  expect(reported.waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 30_000]);
  expect(reported.phases[0]).toBe("waiting");
});

test("a failing server is retried eight times, then its error is reported", async () => {
  const server = new Server(5);
  await expect(send(server, aFile(5), { fates: ["refused"], worksAfter: 9 })).rejects.toMatchObject({ status: 500 });
});

test("a refusal is reported at once, and nothing more is sent", async () => {
  let asked = 0;
  const refusing: UploadCalls<string> = {
    start: async () => ({ offset: 0, isComplete: false }),
    state: () => Promise.reject(new Failure("not_found", { message: "" })),
    append: async () => {
      asked += 1;
      throw new Failure("unsupported_file_type", "video_type_unsupported");
    },
    complete: () => Promise.reject(new Failure("broken", { message: "" })),
  };
  const parts = { calls: refusing, sizeBytes: 9, pieceBytes: 4, wait: async () => {}, isStopped: () => false };
  await expect(runUpload({ ...parts, onProgress: () => {}, onPhase: () => {} })).rejects.toMatchObject({
    message: "Unsupported file type.",
  });
  expect(asked).toBe(1);
});

test("a file that took too long to read is reported at once and not resent; a proxy timeout is retried", async () => {
  const tooLong = new Failure("timed_out", { message: "The request took too long." }, undefined, { reason: "timeout" });
  const answers = [new Failure("timed_out", { message: "" }), tooLong];
  let asked = 0;
  const reading: UploadCalls<string> = {
    start: async () => ({ offset: 0, isComplete: true }),
    state: () => Promise.reject(new Failure("not_found", { message: "" })),
    append: () => Promise.reject(new Failure("not_found", { message: "" })),
    complete: async () => {
      asked += 1;
      throw answers.shift() ?? tooLong;
    },
  };
  const parts = { calls: reading, sizeBytes: 9, pieceBytes: 4, wait: async () => {}, isStopped: () => false };
  const run = runUpload({ ...parts, onProgress: () => {}, onPhase: () => {} });
  await expect(run).rejects.toBe(tooLong);
  expect(asked).toBe(2);
});

test("an upload that the server keeps forgetting isn't restarted forever", async () => {
  let starts = 0;
  const forgetful: UploadCalls<string> = {
    start: async () => {
      starts += 1;
      return { offset: 0, isComplete: false };
    },
    state: () => Promise.reject(new Failure("not_found", { message: "" })),
    append: () => Promise.reject(new Failure("not_found", { message: "" })),
    complete: () => Promise.reject(new Failure("not_found", { message: "" })),
  };
  const parts = { calls: forgetful, sizeBytes: 9, pieceBytes: 4, wait: async () => {}, isStopped: () => false };
  const run = runUpload({ ...parts, onProgress: () => {}, onPhase: () => {} });
  await expect(run).rejects.toMatchObject({ code: "not_found" });
  expect(starts).toBe(4);
});

test("a stopped upload ends before its next request, also while waiting", async () => {
  const server = new Server(50);
  let isStopped = false;
  const line = aLine({ fates: ["fine", "lost"], worksAfter: 99 });
  const run = runUpload({
    calls: callsTo(server, aFile(50), line),
    sizeBytes: 50,
    pieceBytes: 5,
    wait: async () => void (isStopped = true),
    isStopped: () => isStopped,
    onProgress: () => {},
    onPhase: () => {},
  });
  await expect(run).rejects.toMatchObject({ reason: "aborted" });
  expect(server.made).toBeUndefined();
});
