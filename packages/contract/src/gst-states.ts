/** Indian states and union territories by GST code. */
export const gstStates: Readonly<Record<string, string>> = {
  '01': 'Jammu and Kashmir',
  '02': 'Himachal Pradesh',
  '03': 'Punjab',
  '04': 'Chandigarh',
  '05': 'Uttarakhand',
  '06': 'Haryana',
  '07': 'Delhi',
  '08': 'Rajasthan',
  '09': 'Uttar Pradesh',
  '10': 'Bihar',
  '11': 'Sikkim',
  '12': 'Arunachal Pradesh',
  '13': 'Nagaland',
  '14': 'Manipur',
  '15': 'Mizoram',
  '16': 'Tripura',
  '17': 'Meghalaya',
  '18': 'Assam',
  '19': 'West Bengal',
  '20': 'Jharkhand',
  '21': 'Odisha',
  '22': 'Chhattisgarh',
  '23': 'Madhya Pradesh',
  '24': 'Gujarat',
  '26': 'Dadra and Nagar Haveli and Daman and Diu',
  '27': 'Maharashtra',
  '29': 'Karnataka',
  '30': 'Goa',
  '31': 'Lakshadweep',
  '32': 'Kerala',
  '33': 'Tamil Nadu',
  '34': 'Puducherry',
  '35': 'Andaman and Nicobar Islands',
  '36': 'Telangana',
  '37': 'Andhra Pradesh',
  '38': 'Ladakh',
  '97': 'Other territory',
}

/** Union territories without a legislature, which levy UTGST instead of SGST. */
export const utgstStates: readonly string[] = ['04', '26', '31', '35', '38', '97']

/** The state code of a party: as entered, else the first two digits of its GSTIN; empty if both are missing. */
export function stateOf({ stateCode, gstin }: { stateCode: string; gstin: string }): string {
  return stateCode || (/^\d{2}/.exec(gstin)?.[0] ?? '')
}

/** Example: Maharashtra (27) */
export function nameState(code: string): string {
  const name = gstStates[code]
  return name ? `${name} (${code})` : code
}
