import type { Metadata } from 'next'
import { one } from '../../_ui/params.ts'
import { EditPage } from '../_edit/edit-page.tsx'

export const metadata: Metadata = { title: 'Try a new signature' }

export default async function NewSignaturePage({ searchParams }: PageProps<'/signatures/new'>) {
  return <EditPage yaml={one((await searchParams).yaml)} />
}
