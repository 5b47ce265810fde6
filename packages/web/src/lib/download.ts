/** Saves a blob as a file. A JSON blob is an error response instead of a file, unless the file is JSON itself. */
export async function download(blob: Blob, name: string, { isJson = false } = {}) {
  if (blob.type.includes('application/json') && !(isJson && !(await isRefusal(blob))))
    throw new Error(`Failed to download file: ${await blob.text()}`)
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser needs the URL until it has started to read.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

async function isRefusal(blob: Blob): Promise<boolean> {
  return /^\s*\{\s*"success"\s*:\s*false/.test(await blob.slice(0, 64).text())
}
