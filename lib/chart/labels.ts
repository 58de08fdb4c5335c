/** Px that a letter or digit takes at the charts' text size. */
export const LETTER = 7

export interface Label {
  /** Centre. */
  readonly x: number
  readonly text: string
  /** The heavier of two that would touch is shown. */
  readonly weight: number
}

/** Which labels of one row can be shown without touching. */
export function placeLabels(labels: readonly Label[]): boolean[] {
  const shown = labels.map(() => false)
  const kept: Label[] = []
  const order = labels.map((label, i) => ({ label, i })).sort((a, b) => b.label.weight - a.label.weight || a.i - b.i)
  for (const { label, i } of order) {
    if (kept.some((other) => Math.abs(other.x - label.x) < apart(other, label))) continue
    shown[i] = true
    kept.push(label)
  }
  return shown
}

function apart(a: Label, b: Label): number {
  return ((a.text.length + b.text.length) / 2 + 0.5) * LETTER
}
