import type { WhatsappConnection } from '@carillon/contract/channels/whatsapp/whatsapp-accounts'

export type ConnectionEntry = Record<
  'name' | 'waba_id' | 'accessToken' | 'appId' | 'appSecret' | 'graphUrl' | 'graphVersion',
  string
>

export const emptyEntry: ConnectionEntry = {
  name: '',
  waba_id: '',
  accessToken: '',
  appId: '',
  appSecret: '',
  graphUrl: '',
  graphVersion: '',
}

export function entryOf({ name, waba_id, config }: WhatsappConnection): ConnectionEntry {
  const text = (key: string) => (typeof config[key] === 'string' ? config[key] : '')
  return {
    ...emptyEntry,
    name,
    waba_id,
    appId: text('appId'),
    graphUrl: text('graphUrl'),
    graphVersion: text('graphVersion'),
  }
}

/** The entered values; empty fields are omitted, so stored secrets do not change. */
export function inputOf(entry: ConnectionEntry, isChange: boolean) {
  const { waba_id, ...rest } = entry
  const filled = Object.entries(rest).flatMap(([key, value]) => (value.trim() === '' ? [] : [[key, value.trim()]]))
  const parts: Partial<Omit<ConnectionEntry, 'waba_id'>> = Object.fromEntries(filled)
  return { waba_id: isChange ? '' : waba_id.trim(), ...parts }
}
