import { describe, expect, it } from 'vitest'
import { openSource } from './open.ts'

describe('a bucket’s name', () => {
  it.each<[string, string]>([
    ['s3://istio-prow', 'mirror it (rclone sync, or aws s3 sync) and give that directory'],
    ['s3a://istio-prow/logs', 'mirror it'],
    ['S3://istio-prow', 'mirror it'],
    ['https://storage.googleapis.com/bucket', 'give gs://name or a directory'],
    ['gs://bucket/logs/job', 'give the bucket alone, gs://bucket'],
    ['gs://bucket//logs', 'give the bucket alone, gs://bucket'],
    ['gs://', 'no bucket can have this name'],
    ['gs:///x', 'no bucket can have this name'],
    ['gs://ab', 'no bucket can have this name'],
    ['gs://Bucket', 'no bucket can have this name'],
    ['gs://a bucket', 'no bucket can have this name'],
    ['gs:// bucket', 'no bucket can have this name'],
    ['gs://bucket\n', 'no bucket can have this name'],
    ['gs://bucket?x', 'no bucket can have this name'],
    ['gs://..', 'no bucket can have this name'],
    ['file://host/path', 'give file:///path or the path itself'],
  ])('%j is refused, in one line that says what to give', async (spec, hint) => {
    const error = (await openSource(spec).catch((reason: unknown) => reason)) as Error
    expect(error).toMatchObject({ code: 'CONFIG_INVALID' })
    expect(error.message).toContain(hint)
    expect(error.message).not.toContain('\n')
  })
})
