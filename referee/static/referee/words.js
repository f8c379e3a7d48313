// The page's sentences: they come translated from the server, this only fills them in.
import { embedded } from "./dom.js";

const words = embedded("words");
const language = document.documentElement.lang || "en";

/** Words of the page keep their direction inside the table, which is always left to right. */
export const direction = document.documentElement.dir || "ltr";

// The digits readers of the language write, as the server does: "ar:٠١٢… fa:۰۱۲…".
const written = (document.documentElement.dataset.digits || "").split(" ");
const own = Object.fromEntries(written.map((one) => one.split(":")))[language.slice(0, 2)];
const format = new Intl.NumberFormat(language, { numberingSystem: "latn", useGrouping: false });

/** A whole number in the reader's digits. */
export const digits = (number) => {
  const latin = format.format(number);
  return own ? latin.replace(/[0-9]/g, (digit) => own[digit]) : latin;
};

/**
 * A tile as it is written: 6-3, in the reader's digits, always larger half first.
 * The marks around the dash keep Eastern digits from changing places.
 */
export const tileText = (tile) =>
  `\u2066${tile
    .split("-")
    .map((half) => digits(Number(half)))
    .join("\u200e-\u200e")}\u2069`;

const plurals = new Intl.PluralRules(language);

/** As `say`, also for a sentence that counts a value: its name by itself says which. */
export function counting(name, values) {
  const category = plurals.select(values[words[name]] ?? 1);
  const counted = `${name}.${category}`;
  return say(counted in words ? counted : name, values);
}

/** The sentence `name` with its placeholders filled; numbers become the reader's digits. */
export function say(name, values = {}) {
  const sentence = words[name];
  if (sentence === undefined) throw new Error(`no sentence named ${name}`);
  return sentence.replace(/%\((\w+)\)s/g, (whole, key) => {
    if (!(key in values)) throw new Error(`${name} needs ${key}`);
    const value = values[key];
    return typeof value === "number" ? digits(value) : value;
  });
}
