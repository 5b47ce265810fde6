/** The URL under which operators and phones get a file of this channel. Its id is unguessable. */
export function mediaUrlOf(publicUrl: string, fileId: string): string {
  return `${publicUrl}/api/v1/rcs/template-media/${fileId}`
}
