import { newId } from '../lib/ids.ts'

/** The same id in every organisation; each has its own record. */
export const sampleWaba = '260000000000009'
export const sampleLine = '270000000000009'

/** Valid settings of an account on the given server. */
export function sampleConnection(graphUrl: string) {
  return {
    waba_id: randomMetaId(),
    accessToken: 'sample-token',
    appId: '240000000000009',
    appSecret: 'sample-app-secret',
    graphUrl,
  }
}

/** Ids of Meta have digits only. */
export function randomMetaId(): string {
  return String(10n ** 17n + (BigInt(`0x${newId().replaceAll('-', '')}`) % 10n ** 17n))
}
