import type { Metadata } from 'next'
import { findSignature } from '#lib/service/signature.ts'
import { load } from '../../../_ui/load.ts'
import { one } from '../../../_ui/params.ts'
import { EditPage } from '../../_edit/edit-page.tsx'

export async function generateMetadata({ params }: PageProps<'/signatures/[id]/edit'>): Promise<Metadata> {
  const id = decodeURIComponent((await params).id)
  const loaded = await load(async (ctx) => findSignature(await ctx.catalogue(), id))
  return { title: `${loaded.view?.title ?? id} · try an edit` }
}

export default async function EditSignaturePage({ params, searchParams }: PageProps<'/signatures/[id]/edit'>) {
  const id = decodeURIComponent((await params).id)
  return <EditPage id={id} yaml={one((await searchParams).yaml)} />
}
