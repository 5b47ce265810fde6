export type Carrier = {
  /** As in `/v1/regions/{id}`. */
  id: string
  name: string
  isGoogleManaged: boolean
  /** Decides on a launch only when told to by the control API: real operators take weeks. */
  isSlow?: boolean
  /** Digits of international numbers; the longest match decides. */
  prefixes: readonly string[]
}

/** The mobile networks of the simulated phones. Real numbers are ported; here the prefix decides. */
export const carriers: readonly Carrier[] = [
  { id: 'in-vi', name: 'Vi India', isGoogleManaged: false, prefixes: ['91'] },
  { id: 'in-airtel', name: 'Airtel India', isGoogleManaged: false, prefixes: ['9196', '9197', '9198'] },
  { id: 'in-jio', name: 'Jio India', isGoogleManaged: false, prefixes: ['916', '917'] },
  { id: 'in-bsnl', name: 'BSNL India', isGoogleManaged: false, isSlow: true, prefixes: ['9194'] },
  { id: 'us', name: 'United States', isGoogleManaged: false, prefixes: ['1'] },
  { id: 'gb', name: 'United Kingdom', isGoogleManaged: true, prefixes: ['44'] },
  { id: 'rest-of-world', name: 'Rest of the world', isGoogleManaged: true, prefixes: [''] },
]

/** The network of a number, given in digits. */
export function carrierOf(number: string): Carrier {
  let best: { carrier: Carrier; length: number } | undefined
  for (const carrier of carriers)
    for (const prefix of carrier.prefixes)
      if (number.startsWith(prefix) && prefix.length > (best?.length ?? -1)) best = { carrier, length: prefix.length }
  if (!best) throw new Error('The last carrier has every number')
  return best.carrier
}

export function isCarrier(id: string): boolean {
  return carriers.some((carrier) => carrier.id === id)
}

/** `in-vi` of `/v1/regions/in-vi`. */
export function regionIdOf(name: string): string {
  return name.replace(/^\/?v1\/regions\//, '')
}

export const hosts = ['global', 'us', 'europe', 'asia'] as const
export type Host = (typeof hosts)[number]

/** The regional host that serves a number, by its country code. */
export function hostOf(number: string): Exclude<Host, 'global'> {
  const [first = '', second = ''] = number
  if (first === '1' || first === '5') return 'us'
  if (first === '2' || first === '3' || first === '4' || first === '7') return 'europe'
  return first === '9' && '67'.includes(second) ? 'europe' : 'asia'
}
