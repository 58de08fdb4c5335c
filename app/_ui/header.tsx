import Form from 'next/form'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'
import { ThemeToggle } from './theme-toggle.client.tsx'

export type Section = 'triage' | 'search' | 'status'

const SECTIONS: readonly { section: Section; href: string; title: string }[] = [
  { section: 'triage', href: '/', title: 'Triage' },
  { section: 'search', href: '/search', title: 'Search' },
  { section: 'status', href: '/status', title: 'Status' },
]

export function Header({ section, box }: { section: Section | undefined; box: boolean }): ReactNode {
  return (
    <header className="print:hidden flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-line py-2.5 sm:min-h-[3.3125rem]">
      <a href="#main" className="absolute -top-full left-4 z-10 rounded-md bg-panel px-3 py-1 focus:top-2">
        Skip to the page
      </a>
      <Link href="/" className="text-lead font-semibold tracking-tight">
        prowl
      </Link>
      {box && <SearchBox />}
      <nav aria-label="Sections" className="flex items-center gap-4 max-sm:ml-auto sm:ml-auto">
        {SECTIONS.map(({ section: one, href, title }) => (
          <Link
            key={one}
            href={href}
            className={one === section ? 'font-medium text-ink' : 'text-soft hover:text-ink'}
            current={one === section ? 'page' : undefined}
          >
            {title}
          </Link>
        ))}
        <ThemeToggle />
      </nav>
    </header>
  )
}

/** `go` says that a run's address, a build id, a pull request or a bug opens its page; anything else is searched. */
function SearchBox(): ReactNode {
  return (
    <Form action="/search" role="search" className="flex min-w-0 grow max-sm:order-last max-sm:basis-full sm:max-w-2xl">
      <input type="hidden" name="go" value="1" />
      <input
        type="search"
        name="search"
        aria-label="Search all logs: a regex; or open a run’s address, a build id, org/repo#PR or a bug"
        placeholder="regex, run URL, build id, org/repo#PR or bug"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        data-focus="/"
        className="field w-full font-mono text-small"
      />
    </Form>
  )
}
