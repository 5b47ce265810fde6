const firstNames = [
  'Aarav',
  'Priya',
  'Rohan',
  'Ananya',
  'Vikram',
  'Meera',
  'Arjun',
  'Kavya',
  'Sandeep',
  'Lakshmi',
  'Imran',
  'Fatima',
  'Joseph',
  'Divya',
  'Harpreet',
  'Nandini',
  'Suresh',
  'Pooja',
  'Aditya',
  'Sneha',
  'Manoj',
  'Ritu',
  'Karthik',
  'Shalini',
  'Venkatasubramaniam',
]
const lastNames = [
  'Sharma',
  'Patil',
  'Iyer',
  'Khan',
  'Reddy',
  'Das',
  'Nair',
  'Singh',
  'Kulkarni',
  'Joshi',
  'Fernandes',
  'Gupta',
  'Mehta',
  'Chatterjee',
  'Rao',
]
const cities = ['Pune', 'Mumbai', 'Nagpur', 'Nashik', 'Kolhapur', 'Satara', 'Thane', 'Solapur']

/** Number endings the simulator does not deliver: failed, expired, rejected, never reported. */
const fates = ['0002', '0003', '0004', '0005']
/** The same for WhatsApp: most have no WhatsApp, some reached Meta's marketing limit. */
const whatsappFates = ['0026', '0026', '0049', '0026']
/** The same for RCS: most have no RCS, others tap a reply, do not open the message, or unsubscribe. */
const rcsFates = ['0404', '0004', '0404', '0002', '0404', '0404', '0004', '0005']

type CustomerFile = { count: number; seed: number; flaws?: boolean; channel?: 'sms' | 'rcs' | 'whatsapp' }

const fatesOf = {
  sms: { every: 25, ends: fates },
  rcs: { every: 5, ends: rcsFates },
  whatsapp: { every: 8, ends: whatsappFates },
}

/** A customer file with headers. About one number in 25 is not delivered; `flaws` adds duplicates and invalid rows. */
export function customerFile({ count, seed, flaws = false, channel = 'sms' }: CustomerFile): string {
  const { every, ends } = fatesOf[channel]
  const lines = ['name,phone,city,code,amount']
  for (let index = 0; index < count; index += 1) {
    const pick = (index * 7919 + seed * 104_729) >>> 0
    const name = `${firstNames[pick % firstNames.length]} ${lastNames[(pick >> 3) % lastNames.length]}`
    const fate = index % every === 7 % every ? ends[Math.floor(index / every) % ends.length] : undefined
    // 8,900 unique numbers per block; blocks differ by seed.
    const block = String(seed * 40 + Math.floor(index / 8900)).padStart(3, '0')
    const fated = String((seed * 300 + Math.floor(index / every)) % 10_000).padStart(4, '0')
    const phone = fate ? `90${fated}${fate}` : `91${block}0${String(1100 + (index % 8900))}`
    lines.push(`${name},${phone},${cities[pick % cities.length]},DIYA${100 + (pick % 900)},${200 + (pick % 40) * 25}`)
  }
  if (flaws)
    lines.push(
      ...lines.slice(1, 15),
      'No number,,Pune,DIYA1,100',
      'Letter O,93700O1101,Pune,DIYA4,100',
      'Two numbers,93700 01102 / 93700 01103,Pune,DIYA5,100',
      'Landline,080 4123 9900,Bengaluru,DIYA6,100',
      'Spreadsheet,9.19877E+11,Pune,DIYA2,100',
      'Too short,98765,Pune,DIYA3,100',
    )
  return lines.join('\n')
}
