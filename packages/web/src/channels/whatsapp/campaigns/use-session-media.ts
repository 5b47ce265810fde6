import { useState } from 'react'

export type SessionMedia = ReturnType<typeof useSessionMedia>

/** URLs of files uploaded in this session, by Meta's id. */
export function useSessionMedia() {
  const [urls, setUrls] = useState<Readonly<Record<string, string>>>({})
  const remember = (mediaId: string, url: string) => setUrls((known) => ({ ...known, [mediaId]: url }))
  return { urls, remember }
}
