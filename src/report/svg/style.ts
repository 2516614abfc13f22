/**
 * A light ground of its own: an image on a page follows the reader's system, not the page's switch, so a picture that followed it could
 * be dark on light. The names are the picture's own, so that nothing leaks into a page that holds it inline.
 */
export const STYLE = [
  'font:12px ui-sans-serif,system-ui,sans-serif',
  ['.ground', 'fill:#fff'],
  ['.frame', 'fill:#fff;stroke:#d0d7de'],
  ['.ink', 'fill:#1f2328'],
  ['.soft', 'fill:#59636e'],
  ['.strong', 'font-weight:600'],
  ['.small', 'font-size:11px'],
  ['.halo', 'paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round'],
  ['.grid', 'stroke:#eaeef2;fill:none'],
  ['.axis', 'stroke:#59636e;fill:none'],
  ['.good', 'fill:#2da44e'],
  ['.refused', 'fill:#b58407'],
  ['.fault', 'fill:#57606a'],
  ['.broken', 'stroke:#1f2328;stroke-width:2;fill:none'],
  ['.applied', 'fill:#0969da;stroke:#fff'],
  ['.wait', 'stroke:#818b98;stroke-dasharray:2 3;fill:none'],
  ['.call', 'stroke:#59636e;stroke-width:2;fill:none'],
  ['.hint-below', 'fill:#d4a72c;fill-opacity:.13'],
  ['.hint-end', 'stroke:#9a6700;stroke-width:1.5;fill:none'],
  ['.hint-ink', 'fill:#7d4e00'],
  ['.limit', 'stroke:#8250df;stroke-width:1.5;stroke-dasharray:6 3;fill:none'],
  ['.limit-ink', 'fill:#6639ba'],
  ['.bad', 'fill:#cf222e'],
  ['.bad-ground', 'fill:#fff1f0'],
  ['.bad-line', 'stroke:#cf222e;stroke-width:2;fill:none'],
  ['.ring', 'stroke:#cf222e;stroke-width:2.5;fill:none'],
  ['.mark', 'font-size:13px;font-weight:700;paint-order:stroke;stroke:#fff1f0;stroke-width:4px;stroke-linejoin:round'],
]
  .map((rule) => (typeof rule === 'string' ? `.retrial-timeline{${rule}}` : `.retrial-timeline ${rule[0]}{${rule[1]}}`))
  .join('')

/** Filled by reference, so that the time in which nobody may come back is told without colour too. */
export const HATCH =
  '<pattern id="rt-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">' +
  '<rect width="8" height="8" fill="#fff3c4"/><rect width="3" height="8" fill="#e3b341"/></pattern>'
