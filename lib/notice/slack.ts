import type { Notice } from '../model/notice.ts'

/** Slack's limit of a section is 3,000 characters; escaping makes up to five of one. */
const MOST = { title: 200, sentence: 390 } as const

/** The body of a message as Slack's incoming webhooks take it, and what speaks their language. */
export interface SlackMessage {
  readonly text: string
  readonly blocks: readonly {
    readonly type: 'section'
    readonly text: { readonly type: 'mrkdwn'; readonly text: string; readonly verbatim: true }
  }[]
  readonly unfurl_links: false
  readonly unfurl_media: false
}

/**
 * A notice for a chat; `site`, without a slash at the end, is where its page is. Without it there is no link. Format:
 * https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
 */
export function slackMessage({ title, sentence, link }: Notice, site: string | undefined): SlackMessage {
  const [head, said] = [escaped(title, MOST.title), escaped(sentence, MOST.sentence)]
  const linked = site === undefined ? head : `<${site}${link}|${head.replaceAll('|', '¦')}>`
  return {
    text: [`${head}. ${said}`, ...(site === undefined ? [] : [`${site}${link}`])].join(' '),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: `*${linked}*\n${said}`, verbatim: true } }],
    unfurl_links: false,
    unfurl_media: false,
  }
}

/** Slack's own three: what is left of a log's text can then name no one and link nowhere. */
function escaped(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ')
  const short = line.length > most ? `${line.slice(0, most - 1).toWellFormed()}…` : line
  return short.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
