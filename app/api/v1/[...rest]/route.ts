import { answer } from '#app/_api/answer.ts'
import { ProwlError } from '#lib/errors.ts'

/** Where the API has nothing: told as its other errors are. */
export function GET(request: Request): Promise<Response> {
  return answer(request, () => {
    throw new ProwlError('NOT_FOUND', 'the API has no such address; /api/v1/openapi.json lists those that it has')
  })
}

export { GET as POST }
