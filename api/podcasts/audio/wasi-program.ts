const OK = 0;
const BAD_FILE = 8;
const NO_ENTRY = 44;
const ROOT_FD = 3;
const DIRECTORY = 3;
const REGULAR_FILE = 4;
const GROWTH = 2;
const FIRST_BYTES = 65_536;

/** Thrown by `proc_exit`, which must not return. */
class ProgramExitError extends Error {}

interface OpenFile {
  bytes: Uint8Array;
  length: number;
  position: number;
}

/**
 * The part of WASI (https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md) that the synthesiser uses,
 * with one folder in memory: `node:wasi` is experimental and would need files on disk.
 */
class MemoryWasi {
  readonly #args: readonly Uint8Array[];
  readonly #open = new Map<number, OpenFile>();
  readonly files = new Map<string, OpenFile>();
  #memory = new WebAssembly.Memory({ initial: 0 });
  #nextFd = ROOT_FD + 1;

  constructor(args: readonly string[]) {
    this.#args = args.map((arg) => new TextEncoder().encode(`${arg}\0`));
  }

  run(instance: WebAssembly.Instance): void {
    const { memory, _start: start } = instance.exports;
    this.#memory = memory as WebAssembly.Memory;
    try {
      (start as () => void)();
    } catch (error) {
      if (!(error instanceof ProgramExitError)) throw error;
    }
  }

  get imports(): WebAssembly.Imports {
    return {
      wasi_snapshot_preview1: {
        args_sizes_get: (count: number, size: number) => {
          this.#view.setUint32(count, this.#args.length, true);
          this.#view.setUint32(
            size,
            this.#args.reduce((sum, arg) => sum + arg.length, 0),
            true,
          );
          return OK;
        },
        args_get: (pointers: number, start: number) => this.#writeArgs(pointers, start),
        clock_time_get: (_id: number, _precision: bigint, out: number) => {
          this.#view.setBigUint64(out, 0n, true);
          return OK;
        },
        fd_close: (fd: number) => (this.#open.delete(fd) ? OK : BAD_FILE),
        fd_fdstat_get: (fd: number, out: number) => this.#describe(fd, out),
        fd_fdstat_set_flags: () => OK,
        fd_prestat_get: (fd: number, out: number) => {
          if (fd !== ROOT_FD) return BAD_FILE;
          this.#view.setUint32(out, 0, true);
          this.#view.setUint32(out + 4, 1, true);
          return OK;
        },
        fd_prestat_dir_name: (_fd: number, out: number) => {
          this.#bytes.set(new TextEncoder().encode("/"), out);
          return OK;
        },
        fd_read: (fd: number, _vectors: number, _count: number, out: number) => {
          this.#view.setUint32(out, 0, true);
          return this.#open.has(fd) || fd === 0 ? OK : BAD_FILE;
        },
        fd_seek: (fd: number, offset: bigint, whence: number, out: number) => this.#seek(fd, [offset, whence], out),
        fd_write: (fd: number, vectors: number, count: number, out: number) => this.#write(fd, [vectors, count], out),
        path_open: (...args: (number | bigint)[]) => this.#openPath(args.map(Number)),
        proc_exit: () => {
          throw new ProgramExitError();
        },
      },
    };
  }

  get #view() {
    return new DataView(this.#memory.buffer);
  }

  get #bytes() {
    return new Uint8Array(this.#memory.buffer);
  }

  #writeArgs(pointers: number, start: number): number {
    let address = start;
    for (const [index, arg] of this.#args.entries()) {
      this.#view.setUint32(pointers + index * 4, address, true);
      this.#bytes.set(arg, address);
      address += arg.length;
    }
    return OK;
  }

  #describe(fd: number, out: number): number {
    if (fd > ROOT_FD && !this.#open.has(fd)) return BAD_FILE;
    const all = (1n << 64n) - 1n;
    this.#view.setUint8(out, fd === ROOT_FD ? DIRECTORY : REGULAR_FILE);
    this.#view.setUint16(out + 2, 0, true);
    this.#view.setBigUint64(out + 8, all, true);
    this.#view.setBigUint64(out + 16, all, true);
    return OK;
  }

  #seek(fd: number, [offset, whence]: [bigint, number], out: number): number {
    const file = this.#open.get(fd);
    if (!file) return BAD_FILE;
    const base = [0, file.position, file.length][whence] ?? 0;
    file.position = base + Number(offset);
    this.#view.setBigUint64(out, BigInt(file.position), true);
    return OK;
  }

  #write(fd: number, [vectors, count]: [number, number], out: number): number {
    const file = this.#open.get(fd);
    let written = 0;
    for (let index = 0; index < count; index += 1) {
      const from = this.#view.getUint32(vectors + index * 8, true);
      const length = this.#view.getUint32(vectors + index * 8 + 4, true);
      if (file) append(file, this.#bytes.subarray(from, from + length));
      written += length;
    }
    this.#view.setUint32(out, written, true);
    // Console output is discarded.
    return file || fd <= 2 ? OK : BAD_FILE;
  }

  /** Opens files for writing only, because the synthesiser reads no files. */
  #openPath([
    _fd,
    _flags,
    from = 0,
    length = 0,
    openFlags = 0,
    _rights,
    _inheriting,
    _fdFlags,
    out = 0,
  ]: number[]): number {
    const CREATE = 1;
    if ((openFlags & CREATE) === 0) return NO_ENTRY;
    const name = new TextDecoder().decode(this.#bytes.slice(from, from + length));
    const file: OpenFile = { bytes: new Uint8Array(FIRST_BYTES), length: 0, position: 0 };
    this.files.set(name, file);
    this.#open.set(this.#nextFd, file);
    this.#view.setUint32(out, this.#nextFd, true);
    this.#nextFd += 1;
    return OK;
  }
}

function append(file: OpenFile, bytes: Uint8Array): void {
  const end = file.position + bytes.length;
  if (end > file.bytes.length) {
    const larger = new Uint8Array(Math.max(end, file.bytes.length * GROWTH));
    larger.set(file.bytes.subarray(0, file.length));
    file.bytes = larger;
  }
  file.bytes.set(bytes, file.position);
  file.position = end;
  file.length = Math.max(file.length, end);
}

/** Runs a program in memory and returns a file that it wrote; undefined if it wrote none. */
export function runProgram(
  module: WebAssembly.Module,
  args: readonly string[],
  output: string,
): Uint8Array | undefined {
  const wasi = new MemoryWasi(args);
  wasi.run(new WebAssembly.Instance(module, wasi.imports));
  const file = wasi.files.get(output);
  return file?.bytes.subarray(0, file.length);
}
