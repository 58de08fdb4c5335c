import { z } from 'zod'

const PageFigure = z.object({
  name: z.string(),
  /** The first request for it since the server started, when nothing of it is kept yet; ms. */
  firstMs: z.number(),
  firstHeldMs: z.number(),
  /** Of those after it. */
  medianMs: z.number(),
  p95Ms: z.number(),
  /** The longest that the event loop was held up meanwhile, ms. */
  heldMs: z.number(),
})
export type PageFigure = z.infer<typeof PageFigure>

/** What `npm run bench:pages -- --json` writes. */
export const PagesFigures = z.object({
  cores: z.number(),
  node: z.string(),
  runs: z.number(),
  hits: z.number(),
  incidents: z.number(),
  catalogueBytes: z.number(),
  requests: z.number(),
  pages: z.array(PageFigure),
})
export type PagesFigures = z.infer<typeof PagesFigures>
