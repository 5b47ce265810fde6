/** A customer file of 300 rows, 20 with a repeated number and 10 without a number. */
export type CustomerFile = {
  csv: string
  rows: number
  valid: number
  duplicate: number
  invalid: number
  people: Person[]
}

export type Person = { name: string; phone: string; order: string }

const names = [
  'Priya Sharma',
  'Rohan Kulkarni',
  'Ananya Iyer',
  'Imran Khan',
  'Divya Nair',
  'Harpreet Singh',
  'Meera Joshi',
]
const noNumbers = [
  '',
  'ask at the till',
  '98765',
  '9.19877E+11',
  '+91',
  'n/a',
  '12',
  '0000000000',
  '98-76',
  '1234567890123456789',
]

/** Number endings that the simulator fails: unreachable, expired, rejected. */
const fates = ['0002', '0003', '0004']

export function customerFile(): CustomerFile {
  const people = Array.from({ length: 270 }, (_, index): Person => {
    const last = index > 0 && index % 30 === 0 ? (fates[(index / 30) % fates.length] ?? '') : String(1100 + index)
    return {
      name: names[index % names.length] ?? '',
      phone: `98${String(10_000 + index).slice(1)}${last}`.padEnd(10, '7'),
      order: `A-${4000 + index}`,
    }
  })
  const lines = [
    'name,phone,order',
    ...people.map(({ name, phone, order }) => `${name},${phone},${order}`),
    ...people
      .slice(0, 20)
      .map(({ name, phone, order }) => `${name},+91 ${phone.slice(0, 5)} ${phone.slice(5)},${order}`),
    ...noNumbers.map((text, index) => `No number ${index},${text},A-${5000 + index}`),
  ]
  return { csv: lines.join('\n'), rows: lines.length - 1, valid: 270, duplicate: 20, invalid: noNumbers.length, people }
}
