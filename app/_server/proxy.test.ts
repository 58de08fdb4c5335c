import { NextRequest } from 'next/server'
import { expect, test } from 'vitest'
import { proxy } from '../../proxy.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const W3M = { accept: 'text/html, text/*;q=0.5, image/*, application/*' }
const CURL = { accept: '*/*' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function place(path: string, headers: Record<string, string>, body?: string): Promise<string | undefined> {
  const init = { headers, ...(body === undefined ? {} : { method: 'POST', body }) }
  const answer = await proxy(new NextRequest(`http://prowl.test${path}`, init))
  expect(answer.headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(answer.headers.get('location')).toBeNull()
  return answer.headers.get('x-middleware-rewrite')?.replace('http://prowl.test', '')
}

test.each<[string, string, Record<string, string>, string | undefined]>([
  ['the first page', '/', BROWSER, undefined],
  ['the first page, for a program', '/', CURL, undefined],
  ['an old link', '/?search=x&type=bug%2Bjunit', BROWSER, '/search?search=x&type=bug%2Bjunit'],
  ['an old link in a text browser', '/?search=x', W3M, '/search?search=x'],
  ['a scraper of the page', '/?search=x', CURL, '/search?search=x'],
  ['a scraper that accepts nothing in particular', '/?search=x', {}, '/search?search=x'],
  ['JSON by its type', '/?search=x', { accept: 'application/json' }, '/v1/search?search=x'],
  ['lines by their type', '/?search=x', { accept: 'text/plain' }, '/v1/search?search=x'],
  ['lines by a parameter', '/?search=x&format=text', BROWSER, '/v1/search?search=x&format=text'],
  ['the search page', '/search?search=x', BROWSER, '/search?search=x'],
  ['the search page as Next asks for it', '/search?search=x', { rsc: '1', ...CURL }, '/search?search=x'],
  ['JSON for scripts', '/search?search=x&search=y+z', CURL, '/v1/search?search=x&search=y+z'],
  [
    'what unfolds links',
    '/search?search=x',
    { ...CURL, 'user-agent': 'Slackbot-LinkExpanding 1.0' },
    '/search?search=x',
  ],
  ['JSON for who accepts nothing in particular', '/search?search=x', {}, '/v1/search?search=x'],
  ['a pattern that is needed is missed there', '/search', CURL, '/v1/search'],
  ['other pages', '/status', CURL, undefined],
  ['the second form', '/v2/search?search=x', CURL, undefined],
  ['lines of the first page', '/', { accept: 'text/plain' }, '/api/v1/triage'],
  ['lines of a page by a parameter', '/coverage?days=3&format=text', BROWSER, '/api/v1/coverage?days=3&format=text'],
  ['lines of a signature', '/signatures/a.b', { accept: 'text/plain' }, '/api/v1/signatures/a.b'],
  ['lines of a run', '/runs/gs/b/logs/x%20y/1', { accept: 'text/plain' }, '/api/v1/runs/gs/b/logs/x%20y/1'],
  ['lines of a bug', '/bug/o%2Fr%2312', { accept: 'text/plain' }, '/api/v1/bugs/o%2Fr%2312'],
  ['lines of evidence', '/e/0v5k2m8q1c', { accept: 'text/plain' }, '/api/v1/evidence/0v5k2m8q1c'],
  ['the form for a new signature has none', '/signatures/new', { accept: 'text/plain' }, undefined],
  ['a page for who takes text as well', '/status', W3M, undefined],
])('%s', async (_, path, headers, expected) => {
  expect(await place(path, headers)).toBe(expected)
})

test.each<[string, string, Record<string, string>, string, string | undefined]>([
  [
    'a form for the page',
    '/search?context=0',
    BROWSER,
    'search=a+b&type=junit',
    '/search?context=0&search=a+b&type=junit',
  ],
  ['a form at the root', '/', BROWSER, 'search=x', '/search?search=x'],
  ['a form of a script is read where it is answered', '/search?context=0', CURL, 'search=x', '/v1/search?context=0'],
  ['a form without a search', '/', BROWSER, 'x=y', undefined],
])('POST: %s', async (_, path, headers, body, expected) => {
  expect(await place(path, { ...FORM, ...headers }, body)).toBe(expected)
})
