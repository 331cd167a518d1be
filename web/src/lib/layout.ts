/* Where cards lie: pure geometry, so that it can be tested for every size of screen. */

/** Height of a card for a width of 1. */
export const CARD_RATIO = 1.4;
/** The part of a card's width that shows its whole corner index. */
export const MIN_STRIP = 0.47;
/** The part of a card's height that shows rank and suit. */
const MIN_ROW = 0.55;
const MAX_STRIP = 0.54;
/** A further row must make the cards at least this much wider. */
const ROW_GAIN = 1.15;
const MAX_ROWS = 4;

export interface Fit {
  /** Number of cards in each row, from the top. */
  rows: number[];
  width: number;
  height: number;
  stepX: number;
  stepY: number;
}

export interface Spot {
  x: number;
  y: number;
  /** The part of the card that no other covers. */
  visibleWidth: number;
  visibleHeight: number;
}

function widthFor(count: number, rows: number, box: { width: number; height: number }, most: number): number {
  const inRow = Math.ceil(count / rows);
  const byWidth = box.width / (1 + MIN_STRIP * (inRow - 1));
  const byHeight = box.height / (CARD_RATIO * (1 + MIN_ROW * (rows - 1)));
  return Math.max(8, Math.min(byWidth, byHeight, most));
}

/** Choose the number of rows and the size of the cards so that `count` cards fill the box best. */
export function fit(count: number, box: { width: number; height: number }, most = 104): Fit {
  let best = { rows: 1, width: widthFor(count, 1, box, most) };
  for (let rows = 2; rows <= Math.min(MAX_ROWS, count); rows += 1) {
    const width = widthFor(count, rows, box, most);
    if (width > best.width * ROW_GAIN) best = { rows, width };
  }
  const inRow = Math.ceil(count / best.rows);
  const room = inRow > 1 ? (box.width - best.width) / (inRow - 1) : 0;
  const height = best.width * CARD_RATIO;
  const rows: number[] = [];
  let rest = count;
  for (let row = best.rows; row > 0; row -= 1) {
    const here = Math.floor(rest / row);
    rows.push(here);
    rest -= here;
  }
  return { rows, width: best.width, height, stepX: Math.min(room, best.width * MAX_STRIP), stepY: height * MIN_ROW };
}

/** The width and the height that the cards of a fit take together. */
export function extent(shape: Fit): { width: number; height: number } {
  const longest = Math.max(0, ...shape.rows);
  return {
    width: longest === 0 ? 0 : shape.width + shape.stepX * (longest - 1),
    height: shape.height + shape.stepY * (shape.rows.length - 1),
  };
}

/** The place of every card in a box of the given width, rows centred. */
export function spots(shape: Fit, boxWidth: number): Spot[] {
  const found: Spot[] = [];
  shape.rows.forEach((inRow, row) => {
    const rowWidth = shape.width + shape.stepX * (inRow - 1);
    const left = (boxWidth - rowWidth) / 2;
    const lastRow = row === shape.rows.length - 1;
    for (let column = 0; column < inRow; column += 1) {
      found.push({
        x: left + column * shape.stepX,
        y: row * shape.stepY,
        visibleWidth: column === inRow - 1 ? shape.width : shape.stepX,
        visibleHeight: lastRow ? shape.height : shape.stepY,
      });
    }
  });
  return found;
}

/** The card under a point, or the nearest one of the nearest row (a drag may leave the cards). */
export function cardAt(shape: Fit, boxWidth: number, x: number, y: number): number {
  const row = Math.max(0, Math.min(shape.rows.length - 1, Math.floor(y / shape.stepY)));
  const before = shape.rows.slice(0, row).reduce((sum, inRow) => sum + inRow, 0);
  const inRow = shape.rows[row] ?? 0;
  const left = (boxWidth - shape.width - shape.stepX * (inRow - 1)) / 2;
  const column = shape.stepX === 0 ? 0 : Math.floor((x - left) / shape.stepX);
  return before + Math.max(0, Math.min(inRow - 1, column));
}

/** Seats as one sees them: `steps` seats after one's own in playing order; the next player sits on the right. */
export function stepsFrom(own: number, seat: number, seats: number): number {
  return (seat - own + seats) % seats;
}
