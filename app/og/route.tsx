import { ImageResponse } from 'next/og'
import { answer } from '#app/_api/answer.ts'
import { picture } from '#app/_api/picture.ts'
import { ProwlError } from '#lib/errors.ts'
import { evidencePicture, signaturePicture } from '#lib/service/link-picture.ts'
import { context } from '#lib/service/open.ts'
import { CARD, Card } from './card.tsx'

/** The picture that stands beside a pasted link: of a signature as it is today, or of evidence as it is for good. */
export function GET(request: Request): Promise<Response> {
  return answer(request, async () => {
    const params = new URL(request.url).searchParams
    const [signature, evidence] = [params.get('signature'), params.get('evidence')]
    if (Boolean(signature) === Boolean(evidence))
      throw new ProwlError('QUERY_INVALID', 'name one thing to draw: ?signature=<id> or ?evidence=<id>')
    const ctx = await context()
    const facts = signature ? await signaturePicture(ctx, signature) : await evidencePicture(ctx, evidence ?? '')
    return await picture(request, facts, { type: 'image/png', keep: evidence ? 'for-good' : 'short' }, () =>
      new ImageResponse(<Card picture={facts} />, CARD).arrayBuffer(),
    )
  })
}
