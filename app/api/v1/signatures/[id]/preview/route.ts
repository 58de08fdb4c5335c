import { answer, bodyOf, errorAnswer, json } from '#app/_api/answer.ts'
import { ProwlError } from '#lib/errors.ts'
import { editView, MAX_EDIT_BYTES } from '#lib/service/edit.ts'
import { context } from '#lib/service/open.ts'

type Params = { params: Promise<{ id: string }> }

/** The edit is the parameter `yaml`; without one, the entry as its file has it. */
export function GET(request: Request, { params }: Params): Promise<Response> {
  return answer(request, async () => {
    const yaml = new URL(request.url).searchParams.get('yaml') ?? undefined
    return await previewOf(request, (await params).id, yaml)
  })
}

/** The edit is the body; nothing is written here either, it only may be longer than an address. */
export function POST(request: Request, { params }: Params): Promise<Response> {
  return answer(request, async () => {
    const { id } = await params
    return await previewOf(request, id, await bodyOf(request, MAX_EDIT_BYTES))
  })
}

async function previewOf(request: Request, id: string, yaml: string | undefined): Promise<Response> {
  const name = id === 'new' ? undefined : id
  const view = await editView(await context(), name, { yaml, signal: request.signal })
  if (view.error) throw new ProwlError(view.error.code, view.error.message)
  const [first] = view.problems
  if (!first) return json(view)
  const where = first.in === 'edit' ? `line ${first.line}` : `${first.file}:${first.line}`
  return errorAnswer(new ProwlError('EDIT_INVALID', `${where}: ${first.message}`), { problems: view.problems })
}
