/** Rejects if the browser refuses, or has no clipboard API, as over plain HTTP. */
export async function writeClipboard(text: string) {
  await navigator.clipboard.writeText(text)
}
