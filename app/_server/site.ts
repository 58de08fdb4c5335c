import { headers } from 'next/headers'
import { readConfig } from '#lib/config.ts'
import { originOf } from './guard.ts'

/** Where people reach the site, without a slash at the end: as configured, else as the page was asked for. */
export async function siteOfPage(): Promise<string> {
  return (readConfig().publicUrl ?? originOf(await headers())).replace(/\/+$/, '')
}
