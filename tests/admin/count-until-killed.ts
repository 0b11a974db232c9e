import { openSqlite } from "#api/store/sqlite/sqlite-store.ts";
import { rollUpFigures } from "#api/store/figures/roll-up.ts";
import { contributeAtRandom } from "./seeded-instance.ts";

/** Counts and sums in turn until it is killed, or its input ends: `node count-until-killed.ts FOLDER NOW`. */
const [folder = "", now = "0"] = process.argv.slice(2);
const store = openSqlite({ folder });
process.stdin.resume();
while (!process.stdin.readableEnded) {
  await contributeAtRandom(store, { count: 60, now: Number(now) });
  process.stdout.write("counted\n");
  await rollUpFigures({ store, clock: { now: () => Number(now) } });
}
await store.close();
