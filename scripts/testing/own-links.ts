/** Links and requests in the forms that people paste and scripts hold, each with what it must give. */
export interface OwnLink {
  readonly link: string
  /** Patterns of the answer, as they stand in it; absent: refused. */
  readonly finds?: readonly string[]
  readonly refused?: RegExp
}

const LONG = 'maxAge=3600h'

export const OWN_LINKS: readonly OwnLink[] = [
  { link: `/?search=boskos.ci.*EOF&${LONG}&type=all`, finds: ['boskos.ci.*EOF'] },
  {
    link: `/?search=needle+7+of&${LONG}&context=1&type=build-log&name=&excludeName=&maxMatches=5&maxBytes=20971520&groupBy=job`,
    finds: ['needle 7 of'],
  },
  {
    link: `/search?search=needle 7 of&${LONG}&searchType=build-log&groupByJob=job&wrapLines=false&mode=text`,
    finds: ['needle 7 of'],
  },
  { link: '/search?maxAge=7d&type=build-log&context=0&search=needle+[0-9]5+of', finds: ['needle [0-9]5 of'] },
  { link: '/v2/search?search=needle%207%20of&maxAge=336h0m0s&type=bug%%2Bbuild-log', finds: ['needle 7 of'] },
  {
    link: '/v2/search?search=needle+7&search=needle+8&maxAge=336h&type=bug+issue+build-log',
    finds: ['needle 7', 'needle 8'],
  },
  { link: '/search?search=%3Cb%5Cu003emarkup&maxAge=336h&type=build-log', finds: ['<b\\u003emarkup'] },
  { link: '/search?search=plain+%5C%3Cb%5C%3E&maxAge=336h&type=build-log&context=-1', finds: ['plain \\<b\\>'] },
  { link: '/search?search=--- FAIL: Test&type=junit', finds: [] },
  { link: '/search?search=-needle&type=all&maxAge=336h', finds: [] },
  { link: '/search?search=needle&type=bug&maxAge=336h', finds: [] },
  { link: '/search?search=needle&type=build-log&maxAge=336h&name=.*périodique.*|^job-$', finds: [] },
  { link: '/search?search=needle&type=build-log&maxAge=30m&context=0', finds: [] },
  { link: '/search?search=reason.*{{ $labels.reason }}&maxAge=6h', finds: [] },
  { link: '/search?search=a%28&maxAge=6h', refused: /missing closing \).*\^ at 1/s },
  { link: '/v2/search?search=fine&search=(?%3C!x)y', refused: /^pattern 2.*look-around.*\^ at 0/s },
  { link: '/search?search=x&maxAge=forever', refused: /^maxAge: must be a duration/ },
  { link: '/search?type=does-not-exist&search=x', refused: /search must be one of all, bug/ },
  { link: '/search?type=does-not-exist', refused: /^The 'search' query parameter is required/ },
  { link: '/search?search=x&context=99', refused: /^context: must be a number from 0 to 15/ },
]
