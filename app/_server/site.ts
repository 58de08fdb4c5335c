import { headers } from 'next/headers'
import { type Config, readConfig } from '#lib/config.ts'
import { originOf } from './guard.ts'

/** Where people reach the site, without a slash at the end: as configured, else as it was asked for. */
export function siteAt({ publicUrl }: Pick<Config, 'publicUrl'>, asked: Headers): string {
  return (publicUrl ?? originOf(asked)).replace(/\/+$/, '')
}

/** The same, for a page that is being rendered. */
export async function siteOfPage(): Promise<string> {
  return siteAt(readConfig(), await headers())
}
