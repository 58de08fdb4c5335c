export function signatureLink(id: string): string {
  return `/signatures/${encodeURIComponent(id)}`
}

export function incidentLink(id: string): string {
  return `/incidents/${encodeURIComponent(id)}`
}

/** Where an edit is tried; without an id, a new signature. */
export function editLink(id?: string): string {
  return id === undefined ? '/signatures/new' : `${signatureLink(id)}/edit`
}

/** A group of unexplained failures. */
export function groupLink(id: string): string {
  return `/groups/${encodeURIComponent(id)}`
}
