/** Rejects where the browser refuses, and where it has no clipboard at all, as over plain HTTP. */
export async function writeClipboard(text: string) {
  await navigator.clipboard.writeText(text)
}
