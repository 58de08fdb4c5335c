/** An image that is a link, as Markdown; `told` is what it shows, in words: no text of it becomes markup. */
export function imageMarkdown({
  told,
  image,
  link,
}: {
  readonly told: string
  readonly image: string
  readonly link: string
}): string {
  const words = told.replace(/\s+/g, ' ').replace(/[\\`*_{}[\]<>()#!|~&]/g, '\\$&')
  return `[![${words}](${address(image)})](${address(link)})`
}

/** Nothing in it that ends a link. */
function address(url: string): string {
  return url.replace(/[\s()<>\\]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
}
