/**
 * What a regex says of the blocks that can hold a match, over grams (lib/text/grams.ts): a superset test, never a
 * verdict. A block with a matching line always satisfies it.
 */
export type Plan =
  /** Nothing is known: every block may match. */
  | { readonly kind: 'all' }
  /** No block can match. */
  | { readonly kind: 'none' }
  | { readonly kind: 'gram'; readonly gram: number }
  /** Never empty, never nested in their own kind; no gram twice. */
  | { readonly kind: 'and'; readonly of: readonly Plan[] }
  | { readonly kind: 'or'; readonly of: readonly Plan[] }
