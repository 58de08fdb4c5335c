export interface TriageChoice {
  readonly since?: string | undefined
  readonly owner?: string | undefined
}

/** The triage page as chosen; a choice that is not given is its default. */
export function triageLink({ since, owner }: TriageChoice): string {
  const params = new URLSearchParams({ ...(since && { since }), ...(owner && { owner }) })
  return params.size > 0 ? `/?${params}` : '/'
}
