import { createHash } from 'node:crypto'

/** What differs between two tellings of one failure, and what stands for it once it is folded. In this order. */
const FOLDS: readonly (readonly [like: RegExp, as: string])[] = [
  // Stamps at a line's start: Kubernetes' bootstrap, klog, e2e, logrus, Go's log.
  [/^[IWEF]\d{4} [\d:.]{8,15}\] ?/gm, ''],
  [/^[IWEF]\d{4} [\d:.]{8,15} +\d+ [\w.-]+:\d+\] ?/gm, ''],
  [/^(?:ERRO|FATA|WARN|INFO|DEBU)\[[^\]\n]{0,40}\] ?/gm, ''],
  [/^(?:time="[^"\n]{0,40}" )?level=\w+ msg=/gm, ''],
  [/\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) +\d{1,2} \d\d:\d\d:\d\d(?:\.\d+)?:? ?/g, ''],
  [/\b\d{4}[-/]\d\d[-/]\d\d(?:[ T]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d{1,2}:\d\d:\d\d(?:\.\d+)?\b/g, '<time>'],
  [/^<time>:? /gm, ''],
  // Quoted, in one word: more than one is a message, and a quote inside a word an apostrophe.
  [/(?<![\w\\])(\\?["'`])[^"'`\s]{0,300}?\1(?!\w)/g, '<name>'],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]+/gi, '<url>'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b(?:sha256|sha512|sha1|md5):[0-9a-f]{8,}/gi, '<hash>'],
  [/\b0x[0-9a-f]+\b/gi, '<hex>'],
  [/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?![\w.])/g, '<host>'],
  [/(?<![\w:.])\[?(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}\]?(?::\d+)?(?!\w)/gi, '<host>'],
  [/\bip-\d+-\d+-\d+-\d+(?:\.[\w.-]*\w)?/g, '<host>'],
  [
    /\b(?:[\w-]+\.)+(?:com|org|net|io|dev|internal|local|localdomain|svc|cluster)\b(?:\.[\w-]+)*(?::\d+)?(?!\/)/g,
    '<host>',
  ],
  // Paths: two parts at least, or rooted; a line and column behind one are numbers.
  [/(?<![\w<>])(?:~|\.{1,2})?(?:\/[\w.@%+~-]+){2,}\/?/g, '<path>'],
  [/(?<![\w/<>])(?:[\w.@%+~-]+\/){2,}[\w@%+~-]*(?:\.[A-Za-z]\w{0,4}\b)?/g, '<path>'],
  // Namespaces, generated names of pods and of nodes.
  [/\bci-(?:op|ln)-[a-z0-9]+(?:-[a-z0-9]+)*/g, '<ns>'],
  [/\be2e-[a-z0-9-]*-\d+(?:-[a-z0-9]+)*\b/g, '<ns>'],
  [/-[0-9a-f]{8,10}-[a-z0-9]{5}\b/g, '-<id>'],
  [/-(?=[a-z]*\d)[bcdfghjklmnpqrstvwxz2-9]{5}\b/g, '-<id>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b/gi, '<hex>'],
  // Durations, then whatever counts; digits within a word (e2e, k8s) are part of it.
  [/(?<![A-Za-z\d.])\d+(?:\.\d+)?(?:h\d+m\d+(?:\.\d+)?s|h\d+m|m\d+(?:\.\d+)?s|ms|µs|us|ns|s|m|h|d)\b/g, '<time>'],
  [/(?<![A-Za-z])\d+(?:[.,]\d+)*/g, '#'],
  [/\s+/g, ' '],
]

/** Of a text as long as two lines. */
const MAX_FOLDED = 400

/** A failure's text without what differs from run to run: numbers, ids, hosts, times, paths, quoted names. */
export function fold(text: string): string {
  let folded = text
  for (const [like, as] of FOLDS) folded = folded.replace(like, as)
  return folded.trim().slice(0, MAX_FOLDED)
}

/** The id of a text's group, 12 hex digits: the same wherever and whenever it is made. */
export function groupOf(text: string): string {
  return createHash('sha256').update(fold(text)).digest('hex').slice(0, 12)
}
