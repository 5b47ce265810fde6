/** Hands a blob to the browser as a file. A blob of JSON is not a file but the server's word on why there is none. */
export async function download(blob: Blob, name: string) {
  if (blob.type.includes('application/json')) throw new Error(`Failed to download file: ${await blob.text()}`)
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // The browser needs the address until it has begun to read.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
