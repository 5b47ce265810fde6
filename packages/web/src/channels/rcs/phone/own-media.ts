/** Whether the page may load a file: its content security policy allows only our own server's. */
export function isOwnMedia(url: string): boolean {
  if (/^(?:blob|data):/.test(url)) return true
  return URL.canParse(url, location.href) && new URL(url, location.href).origin === location.origin
}

/** The host of a file elsewhere, to show instead of it. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : ''
}
