// Charts as SVG, drawn here: bars in groups, in colours that are read on light and on dark ground.

const WIDTH = 760, LABELS = 250, BAR = 16, GAP = 14, TOP = 44;
const COLOURS = ["#00796b", "#b35900", "#5e60ce", "#ad1457", "#6d6d6d"];

const safe = (text) => String(text).replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

/** bars draws groups of bars: [{ name, bars: [{ series, value, text }] }]. A series has the same colour in all groups. */
export function bars(title, groups) {
  const series = [...new Set(groups.flatMap((group) => group.bars.map((bar) => bar.series)))];
  const most = Math.max(...groups.flatMap((group) => group.bars.map(({ value }) => value)), 1e-9);
  const room = WIDTH - LABELS - 90;
  const colour = (name) => COLOURS[series.indexOf(name) % COLOURS.length];
  let y = TOP;
  let out = "";
  for (const name of series) {
    out += `<rect x="${LABELS}" y="${y - 10}" width="11" height="11" fill="${colour(name)}"/><text x="${LABELS + 16}" y="${y}">${safe(name)}</text>\n`;
    y += BAR;
  }
  for (const group of groups) {
    out += `<text x="${LABELS - 10}" y="${y + (group.bars.length * BAR) / 2 + 4}" text-anchor="end">${safe(group.name)}</text>\n`;
    for (const { series: name, value, text } of group.bars) {
      const width = Math.max(1, Math.round((value / most) * room));
      out += `<rect x="${LABELS}" y="${y}" width="${width}" height="${BAR - 3}" fill="${colour(name)}"/>`
        + `<text x="${LABELS + width + 6}" y="${y + BAR - 5}">${safe(text)}</text>\n`;
      y += BAR;
    }
    y += GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="${safe(title)}">
<style>text { font: 12px system-ui, sans-serif; fill: #777 } .title { font-size: 14px; font-weight: 600 }</style>
<text class="title" x="10" y="18">${safe(title)}</text>
${out}</svg>
`;
}
