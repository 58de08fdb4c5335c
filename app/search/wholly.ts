const SYNTAX = /[\\^$.*+?()[\]{}|]/g

/** A pattern of this text, wherever it stands. */
export function literally(text: string): string {
  return text.replace(SYNTAX, '\\$&')
}

/** A pattern of this job's name and no other. */
export function wholly(job: string): string {
  return `^${literally(job)}$`
}
