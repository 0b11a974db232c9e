declare module "sql.js/dist/sql-wasm-browser.js" {
  interface Database {
    exec(sql: string): unknown;
    run(sql: string, values?: readonly (string | number)[]): void;
    export(): Uint8Array;
    close(): void;
  }
  const init: (options: { locateFile: () => string }) => Promise<{ Database: new () => Database }>;
  export default init;
}
