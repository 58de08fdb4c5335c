import { expect, test } from 'vitest'
import { bugName, isCertain } from './bug-key.ts'

test.each([
  ['bz1750890', 'bz1750890'],
  ['BZ#1750890', 'bz1750890'],
  ['Bug 1750890', 'bz1750890'],
  [' 01750890 ', 'bz1750890'],
  ['https://bugzilla.redhat.com/show_bug.cgi?id=1750890', 'bz1750890'],
  ['https://bugzilla.redhat.com/show_bug.cgi?id=1750890#c4', 'bz1750890'],
  ['https://bugzilla.redhat.com/1750890', 'bz1750890'],
  ['https://bugzil.la/1750890', 'bz1750890'],
  ['ocpbugs-123', 'OCPBUGS-123'],
  ['https://issues.redhat.com/browse/OCPBUGS-123', 'OCPBUGS-123'],
  ['https://issues.redhat.com/projects/OCPBUGS/issues/OCPBUGS-123?filter=x', 'OCPBUGS-123'],
  ['https://issues.redhat.com/secure/RapidBoard.jspa?selectedIssue=OCPBUGS-123', 'OCPBUGS-123'],
  ['kubernetes/test-infra#22851', 'kubernetes/test-infra#22851'],
  ['kubernetes/test-infra/issues/22851', 'kubernetes/test-infra#22851'],
  ['https://github.com/kubernetes/test-infra/issues/22851#issuecomment-1', 'kubernetes/test-infra#22851'],
  ['https://github.com/o/r/pull/7/files', 'o/r#7'],
  ['', undefined],
  ['boskos', undefined],
  ['e2e-aws', undefined],
  ['a/b/c#1', undefined],
  ['https://example.org/1750890', undefined],
  ['https://', undefined],
  ['javascript:alert(1)', undefined],
  ['12345678901', undefined],
])('%j is %s', (text, name) => {
  expect(bugName(text)).toBe(name)
})

test('a number alone may be something else', () => {
  expect(['1750890', '#1750890', 'bz1750890', 'OCPBUGS-1', 'x'].map(isCertain)).toEqual([
    false,
    false,
    true,
    true,
    false,
  ])
})
