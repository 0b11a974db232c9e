const TOPICS = [
  "membrane",
  "nucleus",
  "ribosome",
  "mitochondrion",
  "chloroplast",
  "vacuole",
  "cytoskeleton",
  "lysosome",
  "centriole",
  "peroxisome",
  "cytoplasm",
  "chromosome",
];
const TASKS = ["transport", "storage", "synthesis", "repair", "signalling", "division", "digestion", "defence"];
const CAUSES = ["heat", "acid", "salt", "light", "pressure", "hunger", "poison", "cold"];

/** A generated textbook: every section defines its terms and states different facts about each of them. */
export function aTextbook(sections = TOPICS.length): string {
  return TOPICS.slice(0, sections)
    .map((topic, at) => {
      const facts = TASKS.map((task, index) => {
        const cause = CAUSES[(index + at) % CAUSES.length] ?? "";
        return (
          `The **${topic} ${task} cycle** is the process by which the ${topic} prepares the ${task} of its proteins. ` +
          `In a young tissue, the ${topic} begins its ${task} within ${index + 2} hours after the cell has felt ${cause}. ` +
          `Damage by ${cause} slows the ${task} of the ${topic}, because ${cause} unfolds the proteins that carry it.`
        );
      });
      return `## The ${topic}\n\n${facts.join("\n\n")}\n`;
    })
    .join("\n");
}
