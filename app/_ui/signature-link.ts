export function signatureLink(id: string): string {
  return `/signatures/${encodeURIComponent(id)}`
}

export function incidentLink(id: string): string {
  return `/incidents/${encodeURIComponent(id)}`
}
