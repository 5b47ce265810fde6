/** Identifies one of our messages: the campaign (or the single send's own id), the leg and the position in the audience. */
export type MessageKey = { campaignId: string; leg: number; seq: number }

/** The client reference for providers that accept one; the same for every attempt. */
export function formatReference({ campaignId, leg, seq }: MessageKey): string {
  return createReferences({ campaignId, leg })(seq)
}

/** The references of a leg's messages by position in the audience. */
export function createReferences({ campaignId, leg }: Omit<MessageKey, 'seq'>): (seq: number) => string {
  const prefix = `${campaignId.replaceAll('-', '')}.${leg}.`
  return (seq) => prefix + seq
}

export function parseReference(reference: string): MessageKey | undefined {
  const match = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})\.(\d{1,4})\.(\d{1,9})$/.exec(
    reference,
  )
  if (!match) return undefined
  return { campaignId: match.slice(1, 6).join('-'), leg: Number(match[6]), seq: Number(match[7]) }
}
