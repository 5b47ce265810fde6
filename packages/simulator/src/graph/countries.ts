const countryByPrefix: Record<string, string> = {
  1: 'US',
  27: 'ZA',
  31: 'NL',
  33: 'FR',
  34: 'ES',
  39: 'IT',
  44: 'GB',
  49: 'DE',
  52: 'MX',
  54: 'AR',
  55: 'BR',
  57: 'CO',
  60: 'MY',
  61: 'AU',
  62: 'ID',
  63: 'PH',
  65: 'SG',
  81: 'JP',
  91: 'IN',
  92: 'PK',
  94: 'LK',
  234: 'NG',
  254: 'KE',
  880: 'BD',
  966: 'SA',
  971: 'AE',
  977: 'NP',
}

export function countryOf(waId: string): string {
  for (const length of [3, 2, 1]) {
    const country = countryByPrefix[waId.slice(0, length)]
    if (country) return country
  }
  return 'OTHER'
}
