const BLOCKS =
  /<\/?(?:address|article|div|dl|fieldset|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|summary|table|tr|ul)\b[^>]*>/g
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#x27': "'" }

/** A page as a text browser shows it, near enough for grep: one line a block, no style sheets. */
export function textDump(html: string): string {
  return html
    .replace(/<(script|style|head)\b.*?<\/\1>/gs, '')
    .replace(BLOCKS, '\n')
    .replace(/<br\b[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|quot|amp|#x27);/g, (_, name: string) => NAMED[name] ?? '')
    .replace(/\n\s*\n/g, '\n')
}
