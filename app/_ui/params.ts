/** The first of a parameter's values; undefined where it is absent or empty. */
export function one(value: string | string[] | undefined): string | undefined {
  return (Array.isArray(value) ? value[0] : value) || undefined
}

/** A line number, 1 or more. */
export function lineNumber(value: string | string[] | undefined): number | undefined {
  const text = one(value)
  return text !== undefined && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined
}

/** Parameters as a page gets them, in the form that the codec of queries reads. */
export function searchParamsOf(params: Readonly<Record<string, string | string[] | undefined>>): URLSearchParams {
  const all = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) all.append(name, each)
  }
  return all
}
