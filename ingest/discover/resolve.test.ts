import { describe, expect, it } from 'vitest'
import { openDirectory } from '../source/directory.ts'
import { temporaryDirectory, writeFiles } from '../testing/bucket.ts'
import { parseWanted, resolveRun } from './resolve.ts'

const BUCKET = {
  'logs/e2e/12/started.json': '{}',
  'logs/post/13/started.json': '{}',
  'pr-logs/pull/kubernetes-sigs_prow/7/pull-e2e/14/started.json': '{}',
  'pr-logs/directory/pull-e2e/14.txt': 'gs://old/pr-logs/pull/kubernetes-sigs_prow/7/pull-e2e/14\n',
  'pr-logs/pull/batch/pull-e2e/15/started.json': '{}',
  'pr-logs/directory/pull-e2e/16.txt': 'gs://old/pr-logs/pull/kubernetes-sigs_prow/7/pull-e2e/16',
  'pr-logs/directory/pull-e2e/17.txt': 'gs://old/pr-logs/pull/o_r/7/another/17',
}

describe('a run by its address', () => {
  it.each([
    ['https://prow.k8s.io/view/gs/b/logs/e2e/12', 'logs/e2e/12'],
    ['https://prow.k8s.io/view/gcs/b/logs/e2e/12#1:build-log.txt%3A9', 'logs/e2e/12'],
    ['https://prow.istio.io//view/b/logs/e2e/12/', 'logs/e2e/12'],
    ['https://k8s-gubernator.appspot.com/build/b/logs/e2e/12/', 'logs/e2e/12'],
    ['https://gcsweb.k8s.io/gcs/b/logs/e2e/12/artifacts/', 'logs/e2e/12'],
    ['gs://b/logs/e2e/12', 'logs/e2e/12'],
    ['https://prow.k8s.io/view/prowjob/e2e/12', 'logs/e2e/12'],
    ['https://prow.k8s.io/log?job=pull-e2e&id=14', 'pr-logs/pull/kubernetes-sigs_prow/7/pull-e2e/14'],
    ['https://prow.k8s.io/view/gs/b/pr-logs/directory/pull-e2e/14', 'pr-logs/pull/kubernetes-sigs_prow/7/pull-e2e/14'],
    [
      'https://prow.k8s.io/view/gs/b/pr-logs/pull/sigs.k8s.io_prow/7/pull-e2e/14',
      'pr-logs/pull/kubernetes-sigs_prow/7/pull-e2e/14',
    ],
    ['https://prow.falco.org/view/gs/b/logs/org_repo/post/13', 'logs/post/13'],
    ['https://prow.k8s.io/view/gs/b/pr-logs/pull/o_r/batch/pull-e2e/15', 'pr-logs/pull/batch/pull-e2e/15'],
    ['https://prow.k8s.io/view/prowjob/pull-e2e/15', 'pr-logs/pull/batch/pull-e2e/15'],
  ])('%s', async (address, path) => {
    const root = temporaryDirectory()
    writeFiles(root, BUCKET)
    const source = await openDirectory(root)
    expect(await resolveRun(source, parseWanted(address))).toMatchObject({ path })
  })

  it.each([
    ['another run', 'gs://b/logs/e2e/99'],
    ['a pointer to nothing', 'https://prow.k8s.io/view/prowjob/pull-e2e/16'],
    ['a pointer to another job', 'https://prow.k8s.io/view/prowjob/pull-e2e/17'],
  ])('that leads to %s is not found', async (_, address) => {
    const root = temporaryDirectory()
    writeFiles(root, BUCKET)
    await expect(resolveRun(await openDirectory(root), parseWanted(address))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it.each(['', 'e2e', 'https://prow.k8s.io/', 'https://prow.k8s.io/job-history/gs/b/logs/e2e'])(
    '%j is none',
    (address) => {
      expect(() => parseWanted(address)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
    },
  )
})
