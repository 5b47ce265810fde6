const address = /\bhttps?:\/\/[^\s<>"']+/gi

/** Web addresses in a text that may be opened: with http or https and a host, without a user name. */
export function findSafeLinks(text: string): { start: number; end: number; href: string }[] {
  return [...text.matchAll(address)].flatMap((found) => {
    const shown = found[0].replace(/[.,;:!?)\]}]+$/, '')
    const url = URL.canParse(shown) ? new URL(shown) : undefined
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return []
    return [{ start: found.index, end: found.index + shown.length, href: url.href }]
  })
}
