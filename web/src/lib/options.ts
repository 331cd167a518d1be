/* What the host of a private table may change of its game. */

import type { OptionInfo } from "../protocol";
import type { Speech } from "./words";

export type Value = OptionInfo["values"][number];

const OF_MANY = [8, 16, 32, 64, 128, 256];

/** The values to choose from, the usual one first; of very many numbers a few. */
export function choicesOf({ values, least, most }: OptionInfo): Value[] {
  return [...values, ...OF_MANY.filter((number) => least !== null && most !== null && least <= number && number <= most)];
}

/** What has to be said when a table is opened: the options that are not as usual. */
export function changed(options: readonly OptionInfo[], chosen: Readonly<Record<string, Value>>): Record<string, NonNullable<Value>> {
  const differing: Record<string, NonNullable<Value>> = {};
  for (const { name, values } of options) {
    const value = chosen[name];
    if (value !== undefined && value !== null && value !== values[0]) differing[name] = value;
  }
  return differing;
}

export function optionName(speech: Speech, option: string): string {
  return speech.open(`option.${option}`, option);
}

export function valueName(speech: Speech, option: string, value: unknown): string {
  return speech.open(`option.${option}.${value ?? "none"}`, String(value));
}
