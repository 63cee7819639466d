// Which pages have become slower between two reports. Machines differ, so what is compared are Plaza's CPU times in parts of Hono's.

import { HONO, HONO_CACHES, PLAZA } from "./pages.mjs";
import { written } from "./numbers.mjs";

const MORE = 1.1; // what counts as slower: a tenth more

/** slowerOf returns a line of text for each scenario whose ratio has grown from one report to the next. */
export function slowerOf(before, after) {
  const ratios = ({ pages = [] }) => new Map(pages.filter(({ worker }) => worker === PLAZA).flatMap(({ scenario, cpu }) => {
    const other = pages.find((line) => line.scenario === scenario && [HONO, HONO_CACHES].includes(line.worker));
    return other ? [[scenario, { ratio: cpu / other.cpu, other: other.worker }]] : [];
  }));
  const earlier = ratios(before);
  return [...ratios(after)].flatMap(([scenario, { ratio, other }]) => {
    const was = earlier.get(scenario)?.ratio;
    return was && ratio > MORE * was ? [`${scenario}: ${written(was, 2)} -> ${written(ratio, 2)} of the CPU of ${other}`] : [];
  });
}
