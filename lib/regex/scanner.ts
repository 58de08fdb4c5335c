import { type ErrorCode, ProwlError } from '../errors.ts'

const EXCERPT = 80

/** Reads a pattern from left to right, by code points. Positions are UTF-16 offsets. */
export class Scanner {
  readonly pattern: string
  at = 0

  constructor(pattern: string) {
    this.pattern = pattern
  }

  get more(): boolean {
    return this.at < this.pattern.length
  }

  /** The next UTF-16 unit as a string, empty at the end. */
  get peek(): string {
    return this.pattern.charAt(this.at)
  }

  startsWith(text: string): boolean {
    return this.pattern.startsWith(text, this.at)
  }

  /** Moves past `text` if it comes next. */
  eat(text: string): boolean {
    const found = this.startsWith(text)
    if (found) this.at += text.length
    return found
  }

  /** Moves past what a sticky regex matches here. */
  eatMatch(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.at
    const match = sticky.exec(this.pattern)
    if (match === null) return undefined
    this.at = sticky.lastIndex
    return match
  }

  /** The next code point; at the end, or for half a surrogate pair, an error. */
  next(): number {
    const point = this.pattern.codePointAt(this.at)
    if (point === undefined || (point >= 0xd800 && point <= 0xdfff)) {
      throw this.error('invalid UTF-8', this.at, this.at + 1)
    }
    this.at += point > 0xffff ? 2 : 1
    return point
  }

  /** RE2's error, in Go's words: the term and the excerpt it is about. */
  error(term: string, from: number, to = this.at): ProwlError {
    return this.fault('REGEX_SYNTAX', `${term}: \`${this.#excerpt(from, to)}\``, from)
  }

  unsupported(what: string, from: number, to = this.at): ProwlError {
    return this.fault('REGEX_UNSUPPORTED', `\`${this.#excerpt(from, to)}\` is ${what}, which RE2 does not have`, from)
  }

  fault(code: ErrorCode, message: string, position: number): ProwlError {
    return new ProwlError(code, message, { position })
  }

  #excerpt(from: number, to: number): string {
    const text = this.pattern.slice(from, Math.min(to, from + EXCERPT)) + (to > from + EXCERPT ? '…' : '')
    return text.replace(/\p{Cc}|\p{Cs}/gu, (char) => `\\x{${char.charCodeAt(0).toString(16)}}`)
  }
}
