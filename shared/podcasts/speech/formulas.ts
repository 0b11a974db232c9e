import { cardinal } from "./numbers.ts";

const ELEMENTS = new Set(
  (
    "H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo " +
    "Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po Rn Ra Th Pa U Np Pu"
  ).split(" "),
);
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Subscript digits and their plain forms. */
export const lowerSubscripts = (text: string): string =>
  text
    .replaceAll(/[₀-₉]/gu, (digit) => String(SUBSCRIPTS.indexOf(digit)))
    .replaceAll("₊", "+")
    .replaceAll("₋", "-");

export const lowerSuperscripts = (text: string): string =>
  text
    .replaceAll(/[⁰¹²³⁴-⁹]/gu, (digit) => String(SUPERSCRIPTS.indexOf(digit)))
    .replaceAll("⁺", "+")
    .replaceAll("⁻", "-")
    .replaceAll("ⁿ", "n");

const PART = /([A-Z][a-z]?)(\d*)|([()[\]])(\d*)/gu;
const isWhole = (text: string) => text.replaceAll(PART, "") === "";
const spell = (symbol: string) => symbol.toUpperCase().split("").join(" ");

/** The charge at the end, in words: `2+`, `-`, `3−`. */
function chargeInWords(charge: string): string {
  const [, digits = "", sign = ""] = /^(\d*)([+\-−–])$/u.exec(charge) ?? [];
  return ` ${digits === "" ? "" : `${cardinal(digits)} `}${sign === "+" ? "plus" : "minus"}`;
}

/** Charges after a formula that ends without digits; in `Ca2+` the digits belong to the charge. */
function splitCharge(token: string): [formula: string, charge: string] {
  const raised = /^(.+?)([⁰¹²³⁴-⁹]*[⁺⁻])$/u.exec(token);
  if (raised) return [lowerSubscripts(raised[1] ?? ""), lowerSuperscripts(raised[2] ?? "")];
  const match = /^(.*?)(\d?[+\-−–])$/u.exec(token);
  if (!match) return [token, ""];
  const [, formula = "", charge = ""] = match;
  // "NH4+" is ammonium, "Ca2+" is calcium: after several elements the digits count atoms.
  const isAtomCount = /\d/u.test(charge) && (formula.match(/[A-Z]/gu)?.length ?? 0) > 1;
  return isAtomCount ? [formula + charge.slice(0, -1), charge.slice(-1)] : [formula, charge];
}

/** Whether these elements with their numbers and charge look like a formula rather than a word or a code. */
function isFormula(formula: string, elements: readonly string[], charge: string): boolean {
  if (elements.length === 0 || !elements.every((element) => ELEMENTS.has(element))) return false;
  const hasNumber = /\d/u.test(formula);
  if (hasNumber) return elements.length > 1 || formula.length <= 3;
  if (charge !== "") return true;
  return elements.length > 1 && elements.length < 4 && elements.some((element) => element.length === 2);
}

/** Longer than any formula; the time to find a charge grows with the square of the length. */
const MAX_CHARS = 100;

/**
 * A chemical formula letter by letter: "C six H twelve O six". Undefined if it is not a formula: its letters must be
 * elements, and it must contain a number, a charge, or two elements of which one has two letters.
 */
export function formulaInWords(token: string): string | undefined {
  if (token.length > MAX_CHARS) return undefined;
  const [formula, charge] = splitCharge(/[⁰¹²³⁴-⁹]/u.test(token) ? token : lowerSuperscripts(lowerSubscripts(token)));
  if (formula === "" || !isWhole(formula)) return undefined;
  const symbols = [...formula.matchAll(PART)];
  const elements = symbols.flatMap((match) => match[1] ?? []);
  if (!isFormula(formula, elements, charge)) return undefined;
  const words = symbols.flatMap(([, element, count = "", bracket, times = ""]) => {
    if (bracket !== undefined) return times === "" ? [] : [cardinal(times)];
    return [spell(element ?? ""), ...(count === "" ? [] : [cardinal(count)])];
  });
  return words.join(" ") + (charge === "" ? "" : chargeInWords(charge));
}
