import { bodyOf, problem } from '#app/_api/answer.ts'
import { asked } from '#app/_api/route.ts'
import { OPERATIONS } from '#lib/api/operations.ts'
import { ProwlError } from '#lib/errors.ts'
import type { Context } from '#lib/service/context.ts'
import { editView, MAX_EDIT_BYTES } from '#lib/service/edit.ts'

/** The edit is the parameter `yaml`; without one, the entry as its file has it. */
export const GET = asked(OPERATIONS.preview, async ({ request, ctx, names, query }) =>
  previewOf(request, ctx, names.id, query.yaml),
)

/** The edit is the body; nothing is written here either, it only may be longer than an address. */
export const POST = asked(OPERATIONS.tryEdit, async ({ request, ctx, names }) =>
  previewOf(request, ctx, names.id, await bodyOf(request, MAX_EDIT_BYTES)),
)

async function previewOf(
  request: Request,
  ctx: Context,
  id: string | undefined,
  yaml: string | undefined,
): Promise<Response> {
  const view = await editView(ctx, id === 'new' ? undefined : id, { yaml, signal: request.signal })
  if (view.error) throw new ProwlError(view.error.code, view.error.message)
  const [first] = view.problems
  if (!first) return Response.json(view, { headers: { 'cache-control': 'no-store' } })
  const where = first.in === 'edit' ? `line ${first.line}` : `${first.file}:${first.line}`
  return problem(new ProwlError('EDIT_INVALID', `${where}: ${first.message}`), { problems: view.problems })
}
